/**
 * Requests for the repair of damaged files. A device that cannot use a file leaves a request in the folder, since only others
 * may have its content, and they do not read a file again whose content they have. Each that has it writes the file again and
 * removes the request.
 */
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { isMerostoreError } from "merostore/internal";
import { DIGEST_SIZE, type ObjectDigest } from "../../objects/digest.js";
import type { SyncedPage } from "../cloud.js";
import type { KnownCommits } from "./known-commits.js";
import type { NewFile, PageFiles } from "./page-files.js";
import { type FileKind, MOST_BYTES, type SealedFiles } from "./sealed-files.js";
import type { SharedFolder } from "./shared-folder.js";

/** The parts that repairs use. */
export interface RepairParts {
  readonly page: SyncedPage;
  readonly folder: SharedFolder;
  readonly sealed: SealedFiles;
  readonly files: PageFiles;
  readonly known: KnownCommits;
}

const REPAIRS = "repairs";
/** The most requests of a device until its page is closed, and the most that a sync looks at. */
const MOST = 256;
const NAME = /^(commits|pieces)-([0-9a-f]{40})$/;

export class Repairs {
  readonly #parts: RepairParts;
  /** The files that this device has asked for. */
  readonly #asked = new Set<string>();

  constructor(parts: RepairParts) {
    this.#parts = parts;
  }

  /** Asks for the repair of the damaged file of a commit. */
  askForCommit(name: string): Promise<void> {
    return this.#ask(`commits-${name}`, new Uint8Array(0));
  }

  /** Asks for the repair of the damaged file of a piece. */
  askForPiece(digest: ObjectDigest): Promise<void> {
    // Names do not reveal digests, and nobody keeps the names of all pieces: the request has the digest.
    return this.#ask(`pieces-${this.#parts.files.name("pieces", digest)}`, digest);
  }

  /** Writes the files again that others ask for and whose content the page has. */
  async answer(): Promise<void> {
    const { folder, files } = this.#parts;
    const names = await folder.names(this.#path(""));
    if (names.length === 0) return;
    // From anywhere, as nobody may be able to answer the first ones.
    const start = randomInt(names.length);
    for (const request of [...names.slice(start), ...names.slice(0, start)].slice(0, MOST)) {
      const [, kind, name] = NAME.exec(request) ?? [];
      if (kind === undefined || name === undefined) continue;
      const content = await this.#contentOf(kind as FileKind, name, request);
      if (content === undefined) continue;
      // Even a file that is whole here: the copy of this folder where it is damaged gets another one.
      await files.replace(kind as FileKind, [{ name, content } satisfies NewFile]);
      await folder.remove(this.#path(request));
    }
  }

  async #ask(request: string, digest: Uint8Array): Promise<void> {
    if (this.#asked.has(request) || this.#asked.size === MOST) return;
    const { folder, sealed } = this.#parts;
    try {
      await folder.write(this.#path(request), await sealed.seal(REPAIRS, request, digest));
      this.#asked.add(request);
    } catch (error) {
      // The next sync asks again.
      if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
    }
  }

  /** Returns the content that a file should have; undefined if the page does not have it. */
  async #contentOf(kind: FileKind, name: string, request: string): Promise<Uint8Array | undefined> {
    const { page, folder, sealed, files, known } = this.#parts;
    const found = await folder.read(this.#path(request), MOST_BYTES);
    const opened = found && (await sealed.open(REPAIRS, request, found.bytes));
    if (opened?.state !== "whole") return undefined;
    const id = kind === "commits" ? await known.id(name) : opened.content;
    // Without a key of the folder, anybody can write a request with any bytes.
    if (id === undefined || files.name(kind, id) !== name) return undefined;
    if (kind === "pieces" && id.length !== DIGEST_SIZE) return undefined;
    try {
      return kind === "commits" ? await page.commit(id) : await page.piece({ keyIndex: 0, digest: id });
    } catch (error) {
      // Not here, or damaged here as well.
      if (isMerostoreError(error, "NEEDS_FETCH") || isMerostoreError(error, "DATA_INTEGRITY_ERROR"))
        return undefined;
      throw error;
    }
  }

  #path(request: string): string {
    return join(this.#parts.sealed.folder, REPAIRS, request);
  }
}
