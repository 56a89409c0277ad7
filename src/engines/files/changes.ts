/**
 * The changes of a database. A caller of `changes` continues with the cursor of an earlier pass that ended at its
 * place.
 */

import type { FileSet } from "../../lsm/source.js";
import { BatchDecoder } from "./change-batches.js";
import { ChangeCursor } from "./change-cursor.js";

/** The most cursors that wait for another pass. Each keeps one or two logs open. */
const MOST_WAITING = 8;

export class ChangeCursors {
  readonly #files: FileSet;
  readonly #decoder: BatchDecoder;
  /** Cursors that ended a pass, the oldest first. */
  readonly #waiting: ChangeCursor[] = [];
  readonly #used = new Set<ChangeCursor>();

  constructor(files: FileSet) {
    this.#files = files;
    this.#decoder = new BatchDecoder(files);
  }

  /** Begins a pass after a sequence number. The caller calls `end` with the cursor when the pass is over. */
  async begin(since: number): Promise<ChangeCursor> {
    const at = this.#waiting.findIndex(({ sequence }) => sequence === since);
    const [known] = at < 0 ? [] : this.#waiting.splice(at, 1);
    const cursor = known ?? (await ChangeCursor.open(this.#files, this.#decoder, since));
    this.#used.add(cursor);
    try {
      await cursor.begin();
      return cursor;
    } catch (error) {
      this.end(cursor, false);
      throw error;
    }
  }

  /** @param isWhole whether the pass came to its end, so that another pass may continue from there */
  end(cursor: ChangeCursor, isWhole: boolean): void {
    if (!this.#used.delete(cursor)) return; // `close` was called meanwhile
    if (isWhole) this.#waiting.push(cursor);
    else cursor.close();
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift()?.close();
  }

  close(): void {
    for (const cursor of [...this.#waiting.splice(0), ...this.#used]) cursor.close();
    this.#used.clear();
  }
}
