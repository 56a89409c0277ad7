/** The commits and pieces of one page in a shared folder. */
import { join } from "node:path";
import { equalBytes, MerostoreError } from "merostore/internal";
import { digestFits, type ObjectDigest, sha256WithLength } from "../../objects/digest.js";
import { type FileKind, MOST_BYTES, type Opened, type SealedFiles } from "./sealed-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** A file that cannot be used, as it was when it was first seen so. */
interface UnusableFile {
  readonly version: string;
  readonly since: number;
  readonly state: "incomplete" | "damaged";
}

/** A file to write. */
export interface NewFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A commit in its file, whose name belongs to its id. */
export interface CommitFile {
  readonly id: Uint8Array;
  readonly content: Uint8Array;
}

/** Files that are written at once. */
const CONCURRENCY = 8;
/** Unusable files that are remembered. Others count as copies under way, and are read again. */
const MOST_UNUSABLE = 1024;

export class PageFiles {
  readonly #folder: SharedFolder;
  readonly #files: SealedFiles;
  /** Milliseconds that a file may be incomplete before it counts as damaged. */
  readonly #patience: number;
  /** By path. They are not read again until they change. */
  readonly #unusable = new Map<string, UnusableFile>();

  constructor(folder: SharedFolder, files: SealedFiles, patience: number) {
    this.#folder = folder;
    this.#files = files;
    this.#patience = patience;
  }

  /** The names of the files of commits. Files with other names, such as those that copiers make, are ignored. */
  async commits(): Promise<string[]> {
    const names = await this.#folder.names(join(this.#files.folder, "commits"));
    return names.filter((name) => this.#files.isName(name));
  }

  name(kind: FileKind, id: Uint8Array): string {
    return this.#files.name(kind, id);
  }

  /**
   * Reads the file of a commit.
   *
   * @returns undefined if there is no file, or if it is incomplete or not what it should be, and may be a copy under way
   * @throws MerostoreError DATA_INTEGRITY_ERROR if it is unusable and has not changed for a while; NETWORK_ERROR
   */
  async readCommit(name: string): Promise<CommitFile | undefined> {
    const content = await this.#read("commits", name, (bytes) => this.#isCommit(name, bytes));
    return content && { id: sha256WithLength(content), content };
  }

  /** Reads the file of a piece, as {@link PageFiles.readCommit} does that of a commit. */
  readPiece(digest: ObjectDigest): Promise<Uint8Array | undefined> {
    return this.#read("pieces", this.name("pieces", digest), (bytes) => digestFits(digest, bytes));
  }

  /**
   * Looks at the file of a commit, and reads it: a file of this name may be half copied, or another one.
   * @throws MerostoreError NETWORK_ERROR
   */
  async stateOfCommit(id: Uint8Array): Promise<"whole" | "missing" | "unusable"> {
    const name = this.name("commits", id);
    const found = await this.#folder.read(this.#path("commits", name), MOST_BYTES);
    if (found === undefined) return "missing";
    const opened = await this.#open("commits", name, found.bytes, (bytes) => this.#isCommit(name, bytes));
    return opened.state === "whole" ? "whole" : "unusable";
  }

  /** Writes files, replaces those with another content, and returns when all are on disk. */
  write(kind: FileKind, files: readonly NewFile[]): Promise<void> {
    return this.#writeAll(kind, files, async ({ name, content }) => {
      const found = await this.#folder.read(this.#path(kind, name), MOST_BYTES);
      const fits = (bytes: Uint8Array): boolean => equalBytes(bytes, content);
      return found !== undefined && (await this.#open(kind, name, found.bytes, fits)).state === "whole";
    });
  }

  /** Writes files in the place of those that are there, and returns when all are on disk. */
  replace(kind: FileKind, files: readonly NewFile[]): Promise<void> {
    return this.#writeAll(kind, files, async () => false);
  }

  async #writeAll(
    kind: FileKind,
    files: readonly NewFile[],
    isThere: (file: NewFile) => Promise<boolean>,
  ): Promise<void> {
    const left = [...files];
    const work = async (): Promise<void> => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) {
        const { name, content } = file;
        if (!(await isThere(file)))
          await this.#folder.write(this.#path(kind, name), await this.#files.seal(kind, name, content));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const folders = files.map(({ name }) => join(this.#path(kind, name), ".."));
    const parents = folders.map((path) => join(path, ".."));
    await this.#folder.sync([...folders, ...parents, this.#files.folder, ""]);
  }

  async #read(
    kind: FileKind,
    name: string,
    fits: (content: Uint8Array) => boolean,
  ): Promise<Uint8Array | undefined> {
    const path = this.#path(kind, name);
    const known = this.#unusable.get(path);
    const found = await this.#folder.read(path, MOST_BYTES, known?.version);
    if (found === undefined) {
      this.#unusable.delete(path);
      return undefined;
    }
    const now = performance.now();
    if (found !== "unchanged") {
      const opened = await this.#open(kind, name, found.bytes, fits);
      this.#unusable.delete(path);
      if (opened.state === "whole") return opened.content;
      if (this.#unusable.size < MOST_UNUSABLE)
        this.#unusable.set(path, { version: found.version, since: now, state: opened.state });
      return undefined;
    }
    const { since, state } = known as UnusableFile;
    if (now - since < this.#patience) return undefined;
    throw new MerostoreError(
      "DATA_INTEGRITY_ERROR",
      `the file ${join(this.#folder.path, path)} is ${state}, and does not change: another device that has its content writes it again when it syncs, or copy it from another copy of the folder`,
    );
  }

  /** Opens a file; one with another content than it should have is damaged. */
  async #open(
    kind: FileKind,
    name: string,
    bytes: Uint8Array,
    fits: (content: Uint8Array) => boolean,
  ): Promise<Opened> {
    const opened = await this.#files.open(kind, name, bytes);
    return opened.state === "whole" && !fits(opened.content) ? { state: "damaged" } : opened;
  }

  #isCommit(name: string, content: Uint8Array): boolean {
    return this.name("commits", sha256WithLength(content)) === name;
  }

  /** Pieces are in 256 folders: there may be very many. */
  #path(kind: FileKind, name: string): string {
    const shelf = kind === "pieces" ? name.slice(0, 2) : "";
    return join(this.#files.folder, kind, shelf, name);
  }
}
