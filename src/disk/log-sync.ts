/** Syncs the write-ahead logs of a database that a native engine has open. */

import { closeSync, fdatasync, fstatSync, fsync, openSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { MerostoreError } from "../errors.js";
import { filesOf } from "../lsm/catalog/file-names.js";
import { withMessage } from "./sync-folder.js";

/** Windows can sync only files that are open for writing. */
const FLAGS = process.platform === "win32" ? "r+" : "r";

const CHECK_THE_DISK = "Check the disk, then close the database and open it again";

/**
 * Syncs the logs of an engine. The system syncs a file whichever descriptor is used, so this class opens each log
 * itself. Callers that wait at the same time share one round of syncs.
 */
export class LogSync {
  readonly #folder: string;
  /** The synced bytes of each log. */
  readonly #synced = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();
  /** The round that has not begun. */
  #next: Promise<void> | undefined;
  /** True if the name of a log may not be on disk. */
  #hasNewNames = false;
  /** The first sync that failed. */
  #failure: Error | undefined;

  /** @param folder the folder of the database */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Throws ENGINE_FAILED if a sync has failed. The system may have dropped the bytes that it could not write, and
   * reports that only once: another sync would succeed although they are lost.
   */
  check(): void {
    if (this.#failure === undefined) return;
    throw new MerostoreError(
      "ENGINE_FAILED",
      `the batch was not written, because an earlier sync failed: ${this.#failure.message}. ${CHECK_THE_DISK}`,
      { cause: this.#failure },
    );
  }

  /**
   * Syncs the present content of the logs. A missing log was flushed: its rows are in tables, which are synced.
   *
   * @throws MerostoreError ENGINE_FAILED: the writes may not be on disk. After a failed sync, each later call fails.
   *   After another failure, for example at the opening of a log, the next call syncs the rest
   */
  sync(): Promise<void> {
    this.#next ??= this.#last.then(() => {
      this.#next = undefined;
      return this.#round();
    });
    this.#last = this.#next.catch(() => undefined);
    return this.#next;
  }

  async #round(): Promise<void> {
    if (this.#failure !== undefined) throw this.#notKnown(this.#failure);
    try {
      await this.#syncLogs();
    } catch (error) {
      throw this.#notKnown(error as Error);
    }
  }

  #notKnown(cause: Error): MerostoreError {
    const advice = this.#failure === undefined ? "The next synced write syncs them too" : CHECK_THE_DISK;
    return new MerostoreError(
      "ENGINE_FAILED",
      `the rows were written, and it is not known whether they are on disk: ${cause.message}. ${advice}`,
      { cause },
    );
  }

  async #syncLogs(): Promise<void> {
    const logs = await withMessage(`${this.#folder} cannot be read`, async () => this.#logs());
    for (const name of this.#synced.keys()) if (!logs.includes(name)) this.#synced.delete(name);
    // Oldest first: a batch must not reach the disk before an earlier one.
    for (const name of logs) await this.#syncLog(name);
    if (this.#hasNewNames) await this.#syncNames();
  }

  /** The names of the logs, oldest first. */
  #logs(): string[] {
    return filesOf("log", readdirSync(this.#folder)).map(({ name }) => name);
  }

  /** Syncs a log that has grown. */
  async #syncLog(name: string): Promise<void> {
    const path = join(this.#folder, name);
    const descriptor = await withMessage(`${path} cannot be opened`, async () => openOrGone(path));
    if (descriptor === undefined) return;
    try {
      const { size } = await withMessage(`${path} cannot be read`, async () => fstatSync(descriptor));
      if (size <= (this.#synced.get(name) ?? 0)) return;
      await this.#orFail(`${path} cannot be synced`, () => synced(descriptor));
      if (!this.#synced.has(name)) this.#hasNewNames = true;
      this.#synced.set(name, size);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Syncs the names of the logs. Windows has no such call. */
  async #syncNames(): Promise<void> {
    if (process.platform !== "win32") {
      const folder = await withMessage(`${this.#folder} cannot be opened`, () => open(this.#folder, "r"));
      try {
        await this.#orFail(`${this.#folder} cannot be synced`, () => folder.sync());
      } finally {
        await folder.close();
      }
    }
    this.#hasNewNames = false;
  }

  /** Syncs, and keeps the failure. */
  async #orFail(what: string, sync: () => Promise<void>): Promise<void> {
    try {
      await withMessage(what, sync);
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }
}

function openOrGone(path: string): number | undefined {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** On macOS only `fsync` reaches the disk and not just its cache: Node calls F_FULLFSYNC there. */
function synced(descriptor: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error: Error | null) => (error === null ? resolve() : reject(error));
    if (process.platform === "linux") fdatasync(descriptor, done);
    else fsync(descriptor, done);
  });
}
