/** The entries of an iterator within the bounds of a scan, one by one; those of a block without waiting. */

import { compareRanges } from "../../../bytes/order.js";
import type { EntryBlock } from "../../../lsm/format/entry-block.js";
import type { BlockIterator, ScanBounds } from "./block-iterator.js";

/**
 * After `load()` has settled it stands on an entry of `block`, unless it is `done`. The entries from `at` to before
 * `end`, in steps of `step`, are within the bounds.
 */
export class Cursor {
  readonly #blocks: BlockIterator;
  readonly #bounds: ScanBounds;
  readonly step: 1 | -1;
  block!: EntryBlock;
  at = 0;
  end = 0;
  done = false;
  /** No block after this one has entries within the bounds. */
  #last = false;
  #first = true;

  constructor(blocks: BlockIterator, bounds: ScanBounds) {
    this.#blocks = blocks;
    this.#bounds = bounds;
    this.step = bounds.reverse ? -1 : 1;
  }

  /** Goes on to the next block that has entries within the bounds. Gives a promise only where it must be waited for. */
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

  /** Returns true if the cursor now stands on an entry, or is done. */
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

/** The order of the entries that two cursors stand on: by key, then the newer one first, then by the age of the blocks. */
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
