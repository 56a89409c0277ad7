/** Syncing of the write-ahead logs of a database that a native engine holds open. */

import { closeSync, fdatasync, fstatSync, fsync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { MerostoreError } from "../errors.js";
import { syncFolder, withMessage } from "./sync-folder.js";

const LOG = /^(\d+)\.log$/;

/** Windows syncs only what is open for writing. */
const FLAGS = process.platform === "win32" ? "r+" : "r";

/**
 * Makes durable what an engine has written into its logs. The system syncs files, not descriptors, so a descriptor of
 * its own will do. Callers that wait at the same time share one round of syncs.
 */
export class LogSync {
  readonly #folder: string;
  /** Bytes that are on disk, of each log. */
  readonly #synced = new Map<string, number>();
  #last: Promise<void> = Promise.resolve();
  /** The round that has not begun. */
  #next: Promise<void> | undefined;
  #failure: MerostoreError | undefined;

  /** @param folder the folder of the database */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Throws ENGINE_FAILED if a sync has failed. The system may have dropped what it could not write, and reports that
   * once: another sync would succeed without having written it.
   */
  check(): void {
    if (this.#failure === undefined) return;
    throw new MerostoreError(
      "ENGINE_FAILED",
      `nothing was written: an earlier sync failed, so no later one can be relied on (${this.#failure.message})`,
      { cause: this.#failure },
    );
  }

  /**
   * Syncs what the logs hold at the call. A log that is gone was flushed: its rows are in tables, which are synced.
   *
   * @throws MerostoreError ENGINE_FAILED: what was written may not be on disk
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
    if (this.#failure !== undefined) throw this.#failure;
    const logs = await withMessage(`${this.#folder} cannot be read`, async () => this.#logs());
    for (const name of this.#synced.keys()) if (!logs.includes(name)) this.#synced.delete(name);
    let isNew = false;
    // Oldest first: a batch must not reach the disk before an earlier one.
    for (const name of logs) {
      const known = this.#synced.has(name);
      if ((await this.#syncLog(name)) && !known) isNew = true;
    }
    if (isNew) await this.#orFail(() => syncFolder(this.#folder));
  }

  /** The names of the logs, oldest first. */
  #logs(): string[] {
    const numbered = readdirSync(this.#folder).flatMap((name) => {
      const number = LOG.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    });
    return numbered.sort((a, b) => a.number - b.number).map(({ name }) => name);
  }

  /** Syncs a log that has grown. Returns whether it did. */
  async #syncLog(name: string): Promise<boolean> {
    const path = join(this.#folder, name);
    const descriptor = await withMessage(`${path} cannot be opened`, async () => openOrGone(path));
    if (descriptor === undefined) return false;
    try {
      const { size } = fstatSync(descriptor);
      if (size <= (this.#synced.get(name) ?? 0)) return false;
      await this.#orFail(() => withMessage(`${path} cannot be synced`, () => synced(descriptor)));
      this.#synced.set(name, size);
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  async #orFail(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message } = error as Error;
      this.#failure = new MerostoreError(
        "ENGINE_FAILED",
        `the rows were written, and it is not known whether they are on disk: ${message}. Check the disk, then close the database and open it again`,
        { cause: error },
      );
      throw this.#failure;
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
