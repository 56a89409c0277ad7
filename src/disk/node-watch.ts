/**
 * Detects a node that opens a database while merostore writes it. It is cheap enough for a check before and after each
 * batch.
 */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLockedByRocksDB } from "./writer-lock.js";

/** The most milliseconds from the beginning of RocksDB's LOG to its lock; it usually takes less than one. */
const UNTIL_LOCKED = 3_000;

/**
 * RocksDB first renames its LOG and begins a new one, then takes the lock, reads the logs, begins a MANIFEST, and
 * replaces CURRENT. A node may take the lock after a look at the locks. Then it either begins its LOG after that look,
 * so the LOG is another file, or began it shortly before, so the LOG is young. Listing the locks takes milliseconds,
 * and reading CURRENT opens a file. So both are done only if the LOG is young, or if LOG, CURRENT or the names in the
 * folder have changed since the last look. The files of this package change the names too, so each of them costs a
 * look.
 */
export class NodeWatch {
  readonly #folder: string;
  readonly #logsElsewhere: boolean;
  readonly #isLocked: (folder: string) => boolean;
  /** The traces at the last look; undefined if a node behind them may still take the lock. */
  #quiet: string | undefined;

  /** @param logsElsewhere true if RocksDB keeps its LOG in another folder; each call then looks at the locks */
  constructor(folder: string, logsElsewhere: boolean, isLocked = isLockedByRocksDB) {
    this.#folder = folder;
    this.#logsElsewhere = logsElsewhere;
    this.#isLocked = isLocked;
  }

  /**
   * Returns whether no node has, or has had, the database open.
   *
   * @param manifest the name that CURRENT should contain
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
