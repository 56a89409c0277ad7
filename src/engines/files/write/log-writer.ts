/** Appending to a new write-ahead log. */

import { constants, writeSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, withMessage } from "../../../disk/sync-folder.js";
import { encodeRecord } from "../../../lsm/format/encode-log.js";

/** Up to this many bytes are written synchronously: they only reach the cache of the system, and awaiting that would take longer. */
const AT_ONCE = 64 * 1024;

/** A log under construction. It holds whole records only, also after a write that failed. */
export class LogWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  #end = 0;
  /** The error after which the end of the file is not known. */
  #failure: Error | undefined;
  #isNamed = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @param mode the permissions of the file */
  static async create(path: string, mode: number): Promise<LogWriter> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    return withMessage(
      `${path} cannot be created`,
      async () => new LogWriter(path, await open(path, flags, mode)),
    );
  }

  /** Bytes of the log. */
  get size(): number {
    return this.#end;
  }

  /**
   * Appends records: all of them or none.
   *
   * @throws MerostoreError ENGINE_FAILED
   */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    await withMessage(`${this.#path} cannot be written`, async () => {
      if (this.#failure !== undefined) throw this.#failure;
      let end = this.#end;
      try {
        for (const payload of payloads) {
          const bytes = encodeRecord(payload, end);
          for (let done = 0; done < bytes.length; ) {
            const left = bytes.length - done;
            if (left <= AT_ONCE) done += writeSync(this.#file.fd, bytes, done, left, end + done);
            else done += (await this.#file.write(bytes, done, left, end + done)).bytesWritten;
          }
          end += bytes.length;
        }
      } catch (error) {
        await this.#file.truncate(this.#end).catch((failure: Error) => {
          this.#failure = failure;
        });
        throw error;
      }
      this.#end = end;
    });
  }

  /**
   * Makes durable what was appended, and the name of the log.
   *
   * @throws MerostoreError ENGINE_FAILED: the system may have dropped what it could not write, so that every later call fails too
   */
  async sync(): Promise<void> {
    await withMessage(`${this.#path} cannot be synced`, async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        // On macOS only `fsync` reaches the disk: Node calls F_FULLFSYNC there.
        await (process.platform === "linux" ? this.#file.datasync() : this.#file.sync());
        if (!this.#isNamed) await syncFolder(dirname(this.#path));
        this.#isNamed = true;
      } catch (error) {
        this.#failure = error as Error;
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Shortens a log by what no reader takes. */
export async function cutOff(path: string, length: number): Promise<void> {
  await withMessage(`${path} cannot be shortened`, async () => {
    const file = await open(path, "r+");
    try {
      await file.truncate(length);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}
