/** Blocks of entries in the order of a scan: of the tables of a level, or of a memtable. */

import type { ScanPlan } from "../../../engine/chunk-source.js";
import { EntryBlock } from "../../../lsm/format/entry-block.js";
import type { MaybePromise } from "../../../lsm/source.js";
import type { Memtable } from "./memtable.js";

/** The bounds and the direction of a scan. */
export type ScanBounds = Pick<ScanPlan, "gte" | "lt" | "reverse">;

/** The bounds of a scan of everything. */
export const ALL: ScanBounds = { gte: undefined, lt: undefined, reverse: false };

/** The bytes of the reads of all levels of a scan together, and of the shortest read of one level. */
const READS_TOGETHER = 16 * 1024 * 1024;
const SHORTEST_READ = 64 * 1024;

/** Returns the bytes of the longest read of one level in a scan of `levels` levels, at most `longest`. */
export function longestRead(levels: number, longest: number): number {
  return Math.max(SHORTEST_READ, Math.min(longest, Math.floor(READS_TOGETHER / Math.max(1, levels))));
}

/** Iterates over blocks that contain all entries within the bounds, and some outside. */
export interface BlockIterator {
  /** The next block, which may be the same object with new content. Not called again after it returned undefined. */
  next(): MaybePromise<EntryBlock | undefined>;
  /** Waits for unfinished reads. */
  close(): Promise<void>;
}

/** The entries of a memtable. */
export class MemtableIterator implements BlockIterator {
  readonly #memtable: Memtable;
  readonly #reverse: boolean;
  readonly #keysOnly: boolean;
  readonly #block = new EntryBlock();
  /** The range of the remaining entries. */
  #from: number;
  #to: number;

  constructor(memtable: Memtable, { gte: from, lt: to, reverse }: ScanBounds, keysOnly: boolean) {
    this.#memtable = memtable;
    this.#reverse = reverse;
    this.#keysOnly = keysOnly;
    this.#from = from === undefined ? 0 : memtable.find(from);
    this.#to = to === undefined ? memtable.count : memtable.find(to);
  }

  next(): EntryBlock | undefined {
    if (this.#from >= this.#to) return undefined;
    const block = this.#block;
    this.#memtable.fill(block, this.#from, this.#to, this.#reverse, this.#keysOnly);
    if (this.#reverse) this.#to -= block.count;
    else this.#from += block.count;
    return block;
  }

  async close(): Promise<void> {}
}
