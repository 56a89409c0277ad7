/** Iterates over single entries within the bounds of a scan. Within a block, it never waits. */

import { compareRanges } from "../../../bytes/order.js";
import type { EntryBlock } from "../../../lsm/format/entry-block.js";
import type { BlockIterator, ScanBounds } from "./block-iterator.js";

/**
 * A cursor over the entries of an iterator. When `load()` has settled, it is on an entry of `block`, or it is `done`.
 * The entries from `at` to before `end`, in steps of `step`, are within the bounds.
 */
export class Cursor {
  readonly #blocks: BlockIterator;
  readonly #bounds: ScanBounds;
  readonly step: 1 | -1;
  block!: EntryBlock;
  at = 0;
  end = 0;
  done = false;
  /** True if no block after this one has entries within the bounds. */
  #last = false;
  #first = true;

  constructor(blocks: BlockIterator, bounds: ScanBounds) {
    this.#blocks = blocks;
    this.#bounds = bounds;
    this.step = bounds.reverse ? -1 : 1;
  }

  /** Moves to the next block with entries within the bounds. Returns a promise only if a read is needed. */
  load(): Promise<void> | undefined {
    for (;;) {
      if (this.#last) {
        this.done = true;
        return undefined;
      }
      const next = this.#blocks.next();
      if (next instanceof Promise) return this.#loadLater(next);
      if (this.#take(next)) return undefined;
    }
  }

  close(): Promise<void> {
    return this.#blocks.close();
  }

  async #loadLater(next: Promise<EntryBlock | undefined>): Promise<void> {
    if (!this.#take(await next)) await this.load();
  }

  /** Returns true if the cursor is now on an entry, or is done. */
  #take(block: EntryBlock | undefined): boolean {
    if (block === undefined) {
      this.done = true;
      return true;
    }
    const { gte: from, lt: to, reverse } = this.#bounds;
    let low = 0;
    let high = block.count;
    const [near, far] = reverse ? [to, from] : [from, to];
    if (near !== undefined && this.#first) {
      if (reverse) high = block.find(near);
      else low = block.find(near);
    }
    this.#first = this.#first && low >= high;
    if (far !== undefined && !(reverse ? block.compare(0, far) >= 0 : block.compare(high - 1, far) < 0)) {
      this.#last = true;
      if (reverse) low = Math.max(low, block.find(far));
      else high = Math.min(high, block.find(far));
    }
    this.block = block;
    this.at = reverse ? high - 1 : low;
    this.end = reverse ? low - 1 : high;
    return low < high;
  }
}

/** Compares the entries at two cursors: by key, then the newer one first, then by the age of the blocks. */
export function compareEntries(a: Cursor, aAt: number, b: Cursor): number {
  const { block } = a;
  const other = b.block;
  return (
    compareRanges(
      block.keys,
      block.keyStarts[aAt] as number,
      block.keyEnds[aAt] as number,
      other.keys,
      other.keyStarts[b.at] as number,
      other.keyEnds[b.at] as number,
    ) ||
    (other.sequences[b.at] as number) - (block.sequences[aAt] as number) ||
    other.age - block.age
  );
}
