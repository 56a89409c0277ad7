/** What the write-ahead logs hold of one column family: the newest entry of each key, sorted, in blocks. */

import { copyBytes } from "../../../bytes/bytes.js";
import { compareRanges } from "../../../bytes/order.js";
import { EntryBlock } from "../format/entry-block.js";
import { EntryType } from "../format/internal-key.js";
import { type RangeDeletion, rangeDeletion } from "./tombstones.js";

/** Entries and bytes of one block at most; a single longer entry has a block of its own. */
const BLOCK_ENTRIES = 1024;
const BLOCK_BYTES = 1024 * 1024;

/** Sorted entries of a column family that are in memory. */
export interface Memtable {
  readonly blocks: readonly EntryBlock[];
  readonly rangeDeletions: readonly RangeDeletion[];
  /** Changes in the log, also those that later ones override. */
  readonly changes: number;
  /** Bytes of their keys and values. */
  readonly bytes: number;
}

/** Takes changes in the order of their sequence numbers. */
export class MemtableBuilder {
  readonly #bytes: Uint8Array[] = [];
  readonly #keyStarts: number[] = [];
  readonly #keyEnds: number[] = [];
  readonly #valueStarts: number[] = [];
  readonly #valueEnds: number[] = [];
  readonly #sequences: number[] = [];
  readonly #types: number[] = [];
  readonly #rangeDeletions: RangeDeletion[] = [];
  #size = 0;

  add(
    type: number,
    sequence: number,
    bytes: Uint8Array,
    keyStart: number,
    keyEnd: number,
    valueStart: number,
    valueEnd: number,
  ): void {
    this.#size += keyEnd - keyStart + (valueEnd - valueStart);
    if (type === EntryType.RangeDeletion) {
      const begin = copyBytes(bytes.subarray(keyStart, keyEnd));
      const end = copyBytes(bytes.subarray(valueStart, valueEnd));
      this.#rangeDeletions.push(rangeDeletion(begin, end, sequence));
      return;
    }
    this.#bytes.push(bytes);
    this.#keyStarts.push(keyStart);
    this.#keyEnds.push(keyEnd);
    this.#valueStarts.push(valueStart);
    this.#valueEnds.push(valueEnd);
    this.#sequences.push(sequence);
    this.#types.push(type);
  }

  /** Copies what counts out of the logs, whose bytes are no longer needed then. */
  build(): Memtable {
    const sorted = this.#newest();
    const blocks: EntryBlock[] = [];
    for (let from = 0; from < sorted.length; ) {
      let to = from;
      let size = 0;
      while (to < sorted.length && to - from < BLOCK_ENTRIES && (to === from || size < BLOCK_BYTES)) {
        size += this.#entrySize(sorted[to++] as number);
      }
      blocks.push(this.#block(sorted.subarray(from, to)));
      from = to;
    }
    return {
      blocks,
      rangeDeletions: this.#rangeDeletions,
      changes: this.#types.length + this.#rangeDeletions.length,
      bytes: this.#size,
    };
  }

  /** The newest entry of each key, in key order. */
  #newest(): Uint32Array {
    const order = Uint32Array.from(this.#types.keys());
    order.sort((a, b) => this.#compare(a, b) || b - a);
    let count = 0;
    for (const at of order) {
      if (count > 0 && this.#compare(order[count - 1] as number, at) === 0) continue;
      order[count++] = at;
    }
    return order.subarray(0, count);
  }

  #compare(a: number, b: number): number {
    return compareRanges(
      this.#bytes[a] as Uint8Array,
      this.#keyStarts[a] as number,
      this.#keyEnds[a] as number,
      this.#bytes[b] as Uint8Array,
      this.#keyStarts[b] as number,
      this.#keyEnds[b] as number,
    );
  }

  #entrySize(at: number): number {
    return (this.#valueEnds[at] as number) - (this.#keyStarts[at] as number);
  }

  #block(entries: Uint32Array): EntryBlock {
    const block = new EntryBlock();
    let keyBytes = 0;
    let valueBytes = 0;
    for (const at of entries) {
      keyBytes += (this.#keyEnds[at] as number) - (this.#keyStarts[at] as number);
      valueBytes += (this.#valueEnds[at] as number) - (this.#valueStarts[at] as number);
    }
    block.keys = new Uint8Array(keyBytes);
    block.values = new Uint8Array(valueBytes);
    let valuesUsed = 0;
    for (const at of entries) {
      const bytes = this.#bytes[at] as Uint8Array;
      const key = bytes.subarray(this.#keyStarts[at], this.#keyEnds[at]);
      const value = bytes.subarray(this.#valueStarts[at], this.#valueEnds[at]);
      block.keys.set(key, block.keysUsed);
      block.values.set(value, valuesUsed);
      const { count, keysUsed } = block;
      if (count === block.types.length) block.growEntries();
      block.keyStarts[count] = keysUsed;
      block.keysUsed += key.length;
      block.keyEnds[count] = block.keysUsed;
      block.valueStarts[count] = valuesUsed;
      valuesUsed += value.length;
      block.valueEnds[count] = valuesUsed;
      block.sequences[count] = this.#sequences[at] as number;
      block.types[count] = this.#types[at] as number;
      block.count++;
    }
    return block;
  }
}
