/** Appends to a new write-ahead log. */

import { encodeRecord } from "../../../lsm/format/encode-log.js";
import type { WritableFile, WritableFiles } from "../../../lsm/writable-files.js";

/** A log under construction. It has only whole records, also after a failed write. */
export class LogWriter {
  readonly #files: WritableFiles;
  readonly #file: WritableFile;
  #end = 0;
  /** An error that left the end of the file unknown. */
  #failure: unknown;
  #isNamed = false;

  private constructor(files: WritableFiles, file: WritableFile) {
    this.#files = files;
    this.#file = file;
  }

  static async create(files: WritableFiles, name: string): Promise<LogWriter> {
    return new LogWriter(files, await files.create(name));
  }

  /** The bytes of the log. */
  get size(): number {
    return this.#end;
  }

  /**
   * Appends records: all of them or none.
   *
   * @throws MerostoreError ENGINE_FAILED
   */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    this.#checkWhole();
    let end = this.#end;
    try {
      for (const payload of payloads) {
        const bytes = encodeRecord(payload, end);
        const written = this.#file.write(bytes, end);
        if (written !== undefined) await written;
        end += bytes.length;
      }
    } catch (error) {
      await this.#file.truncate(this.#end).catch((failure: unknown) => {
        this.#failure = failure;
      });
      throw error;
    }
    this.#end = end;
  }

  /**
   * Makes the appended records and the name of the log durable.
   *
   * @throws MerostoreError ENGINE_FAILED: the system may have dropped the bytes that it could not write, so every later
   *   call fails too
   */
  async sync(): Promise<void> {
    this.#checkWhole();
    try {
      await this.#file.sync();
      if (!this.#isNamed) await this.#files.syncNames();
      this.#isNamed = true;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #checkWhole(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
