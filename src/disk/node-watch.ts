/**
 * A watch for a node that opens a database while merostore writes it: cheap enough to ask before and after each batch.
 */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLockedByRocksDB } from "./writer-lock.js";

/** Milliseconds in which RocksDB has taken the lock once it has begun its LOG; it takes less than one. */
const UNTIL_LOCKED = 3_000;

/**
 * RocksDB first moves its LOG away and begins another file of that name, then takes the lock, reads the logs, begins a
 * MANIFEST, and replaces CURRENT. So a node that takes the lock after a look at the locks either begins its LOG after
 * that look, which is another file then, or began it before: then the LOG is young. The system takes milliseconds to
 * list its locks, and opens a file for the text of CURRENT. Both are looked at only if the LOG is young, or if LOG,
 * CURRENT or the names in the folder have changed since the last look. The files of this package change the names too:
 * each of them costs a look.
 */
export class NodeWatch {
  readonly #folder: string;
  readonly #logsElsewhere: boolean;
  readonly #isLocked: (folder: string) => boolean;
  /** The traces before the last look, if no node that left them can still be about to take the lock. */
  #quiet: string | undefined;

  /** @param logsElsewhere true if RocksDB keeps its LOG in another folder: then each call looks at the locks */
  constructor(folder: string, logsElsewhere: boolean, isLocked = isLockedByRocksDB) {
    this.#folder = folder;
    this.#logsElsewhere = logsElsewhere;
    this.#isLocked = isLocked;
  }

  /**
   * Returns whether no node has the database open, or has opened it.
   *
   * @param manifest the name that CURRENT has then
   */
  isAlone(manifest: string): boolean {
    const currentPath = join(this.#folder, "CURRENT");
    const log = statSync(join(this.#folder, "LOG"), { throwIfNoEntry: false });
    const current = statSync(currentPath);
    const { mtimeMs } = statSync(this.#folder);
    const traces = `${manifest} ${mtimeMs} ${current.ino} ${current.mtimeMs} ${log?.ino} ${log?.ctimeMs}`;
    if (traces === this.#quiet) return true;
    if (readFileSync(currentPath, "latin1") !== `${manifest}\n` || this.#isLocked(this.#folder)) return false;
    const isYoung = log !== undefined && Date.now() - log.ctimeMs < UNTIL_LOCKED;
    this.#quiet = isYoung || this.#logsElsewhere ? undefined : traces;
    return true;
  }
}
