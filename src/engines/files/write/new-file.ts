/** Writes a file from beginning to end. */

import { concatAll } from "../../../bytes/concat.js";
import type { WritableFile, WritableFiles } from "../../../lsm/writable-files.js";

/** The bytes of one write. */
const PIECE = 1024 * 1024;

export class NewFile {
  readonly #files: WritableFiles;
  readonly #name: string;
  readonly #file: WritableFile;
  #waiting: Uint8Array[] = [];
  /** Bytes of them. */
  #bytes = 0;
  #end = 0;
  /** The unfinished write. The next piece is encoded meanwhile. */
  #writing: Promise<void> = Promise.resolve();
  #isOpen = true;

  private constructor(files: WritableFiles, name: string, file: WritableFile) {
    this.#files = files;
    this.#name = name;
    this.#file = file;
  }

  static async create(files: WritableFiles, name: string): Promise<NewFile> {
    return new NewFile(files, name, await files.create(name));
  }

  /** Adds bytes, which must not change afterwards. Returns a promise only if earlier bytes must be written first. */
  append(bytes: Uint8Array): Promise<void> | undefined {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < PIECE) return undefined;
    const before = this.#writing;
    this.#writing = this.#write();
    this.#writing.catch(() => undefined); // the next call throws its error
    return before;
  }

  /** Makes the content of the file durable, but not its name. */
  async finish(): Promise<void> {
    await this.#write();
    await this.#file.sync();
    await this.#file.close();
    this.#isOpen = false;
  }

  /** Removes the file, unless it is finished. It never fails, so the caller's own error is reported. */
  async abandon(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const ignore = (): void => undefined;
    await this.#writing.catch(ignore);
    await this.#file.close().catch(ignore);
    await this.#files.remove(this.#name).catch(ignore);
  }

  /** Writes the waiting bytes after the unfinished write. */
  async #write(): Promise<void> {
    const before = this.#writing;
    const pieces = this.#waiting;
    const bytes = pieces.length === 1 ? (pieces[0] as Uint8Array) : concatAll(pieces);
    const at = this.#end;
    this.#waiting = [];
    this.#bytes = 0;
    this.#end += bytes.length;
    await before;
    await this.#file.write(bytes, at);
  }
}
