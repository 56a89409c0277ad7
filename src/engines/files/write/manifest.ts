/** Writing MANIFESTs, and CURRENT, which names the one that counts. */

import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/sync-folder.js";
import { encodeRecord } from "../../../lsm/format/encode-log.js";

/** Bytes that are written at once. */
const PIECE = 1024 * 1024;

/** The name of a MANIFEST. */
export function manifestFile(number: number): string {
  return `MANIFEST-${String(number).padStart(6, "0")}`;
}

/** The name of the file that becomes CURRENT and names a MANIFEST. */
export function currentFile(number: number): string {
  return `${String(number).padStart(6, "0")}.dbtmp`;
}

/** Writes a new MANIFEST. */
export async function writeManifest(
  folder: string,
  number: number,
  mode: number,
  edits: readonly Uint8Array[],
): Promise<void> {
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (const edit of edits) {
    const record = encodeRecord(edit, end);
    pieces.push(record);
    end += record.length;
  }
  await writeSynced(join(folder, manifestFile(number)), mode, pieces);
}

/**
 * Lets CURRENT name a MANIFEST. All files that it leads to are on disk before. If it fails, CURRENT is as it was; if it does not, the
 * caller syncs the folder.
 */
export async function setCurrent(folder: string, number: number, mode: number): Promise<void> {
  const temporary = join(folder, currentFile(number));
  try {
    await writeSynced(temporary, mode, [new TextEncoder().encode(`${manifestFile(number)}\n`)]);
    await syncFolder(folder);
    await rename(temporary, join(folder, "CURRENT"));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a new file and syncs it. */
export async function writeSynced(path: string, mode: number, pieces: Iterable<Uint8Array>): Promise<void> {
  const file = await NewFile.create(path, mode);
  try {
    for (const piece of pieces) await file.append(piece);
    await file.finish();
  } finally {
    await file.abandon();
  }
}

/** A file that is written from its beginning to its end. */
export class NewFile {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  /** The write under way: the next piece is encoded meanwhile. */
  #writing: Promise<void> = Promise.resolve();
  #isOpen = true;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string, mode: number): Promise<NewFile> {
    return new NewFile(path, await open(path, "wx", mode));
  }

  /** Adds bytes, which must not change afterwards. Gives a promise only if earlier ones must be written first. */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < PIECE) return undefined;
    const before = this.#writing;
    const pieces = this.#takeWaiting();
    this.#writing = before.then(() => this.#file.writeFile(pieces));
    this.#writing.catch(() => undefined); // the next call throws it
    return before;
  }

  /** Makes the file durable, but not its name. */
  async finish(): Promise<void> {
    await this.#writing;
    await this.#file.writeFile(this.#takeWaiting());
    await this.#file.sync();
    await this.#file.close();
    this.#isOpen = false;
  }

  /** Removes the file, unless it is finished. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#writing.catch(() => undefined);
    await this.#file.close();
    await rm(this.#path, { force: true });
  }

  #takeWaiting(): Uint8Array {
    const pieces = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}
