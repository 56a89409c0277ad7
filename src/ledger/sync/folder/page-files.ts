/** The commits and pieces of one page in a shared folder. */
import { join } from "node:path";
import { MerostoreError } from "../../../errors.js";
import { type FileKind, MOST_BYTES, type SealedFiles } from "./sealed-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** A file that cannot be used, as it was when it was first seen so. */
interface BadFile {
  readonly version: string;
  readonly since: number;
}

/** Files that are written at once. */
const CONCURRENCY = 8;

export class PageFiles {
  readonly #folder: SharedFolder;
  readonly #files: SealedFiles;
  /** Milliseconds that a file may be incomplete before it counts as damaged. */
  readonly #patience: number;
  readonly #bad = new Map<string, BadFile>();

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
   * Reads the content of a file.
   *
   * @returns undefined if there is no file, or if it is incomplete or not what it should be, and may be a copy under way
   * @throws MerostoreError DATA_INTEGRITY_ERROR if it is unusable and has not changed for a while; NETWORK_ERROR
   */
  async read(kind: FileKind, name: string): Promise<Uint8Array | undefined> {
    const path = this.#path(kind, name);
    const found = await this.#folder.read(path, MOST_BYTES);
    if (found === undefined) return undefined;
    const opened = await this.#files.open(kind, name, found.bytes);
    if (opened.state === "whole") {
      this.#bad.delete(path);
      return opened.content;
    }
    const now = performance.now();
    const known = this.#bad.get(path);
    const bad = known?.version === found.version ? known : { version: found.version, since: now };
    this.#bad.set(path, bad);
    if (bad !== known || now - bad.since < this.#patience) return undefined;
    throw new MerostoreError(
      "DATA_INTEGRITY_ERROR",
      `the file ${join(this.#folder.path, path)} is ${opened.state}, and does not change: copy it again from another copy of the folder`,
    );
  }

  /** Whether there is a file of a commit. */
  hasCommit(id: Uint8Array): Promise<boolean> {
    return this.#folder.has(this.#path("commits", this.#files.name("commits", id)));
  }

  /** Writes files, replaces unusable ones, and returns when all are on disk. */
  async write(
    kind: FileKind,
    files: readonly { readonly id: Uint8Array; readonly content: Uint8Array }[],
  ): Promise<void> {
    const left = files.map(({ id, content }) => ({ name: this.#files.name(kind, id), content }));
    const paths = left.map(({ name }) => this.#path(kind, name));
    const work = async (): Promise<void> => {
      for (let file = left.pop(); file !== undefined; file = left.pop()) await this.#writeOne(kind, file);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    const folders = paths.map((path) => join(path, ".."));
    const parents = folders.map((path) => join(path, ".."));
    await this.#folder.sync([...folders, ...parents, this.#files.folder, ""]);
  }

  async #writeOne(
    kind: FileKind,
    file: { readonly name: string; readonly content: Uint8Array },
  ): Promise<void> {
    const path = this.#path(kind, file.name);
    const found = await this.#folder.read(path, MOST_BYTES);
    const opened = found && (await this.#files.open(kind, file.name, found.bytes));
    if (opened?.state === "whole") return;
    await this.#folder.write(path, await this.#files.seal(kind, file.name, file.content));
  }

  /** Pieces are in 256 folders: there may be very many. */
  #path(kind: FileKind, name: string): string {
    const shelf = kind === "pieces" ? name.slice(0, 2) : "";
    return join(this.#files.folder, kind, shelf, name);
  }
}
