/** Blocks of entries in the order of a scan: of a sorted run of tables, or of the write-ahead log. */

import type { EntryBlock } from "../../../lsm/format/entry-block.js";
import type { MaybePromise } from "../../../lsm/source.js";

/** What a scan reads of a run. */
export interface ScanBounds {
  /** Inclusive. */
  readonly from: Uint8Array | undefined;
  /** Exclusive. */
  readonly to: Uint8Array | undefined;
  readonly reverse: boolean;
}

/** Gives blocks that together hold all entries within the bounds, and some beside them. */
export interface BlockFeed {
  /** The next block; it may be the same object filled anew. Not called again once it gave undefined. */
  next(): MaybePromise<EntryBlock | undefined>;
  /** Waits for reads under way. */
  close(): Promise<void>;
}

/** The blocks of a memtable. */
export class MemoryFeed implements BlockFeed {
  readonly #blocks: readonly EntryBlock[];
  readonly #step: 1 | -1;
  #at: number;

  constructor(blocks: readonly EntryBlock[], { from, to, reverse }: ScanBounds) {
    this.#blocks = blocks;
    this.#step = reverse ? -1 : 1;
    const bound = reverse ? to : from;
    if (bound === undefined) this.#at = reverse ? blocks.length - 1 : 0;
    else this.#at = Math.min(firstWith(blocks, bound), reverse ? blocks.length - 1 : blocks.length);
  }

  next(): EntryBlock | undefined {
    const block = this.#blocks[this.#at];
    this.#at += this.#step;
    return block;
  }

  async close(): Promise<void> {}
}

/** The first block whose last key is not before `key`; `length` when there is none. */
export function firstWith(blocks: readonly EntryBlock[], key: Uint8Array): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const block = blocks[middle] as EntryBlock;
    if (block.compare(block.count - 1, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
