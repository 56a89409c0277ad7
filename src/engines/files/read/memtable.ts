/** What the write-ahead logs hold of one column family: the newest entry of each key, sorted, in blocks. */

import { copyBytes } from "../../../bytes/bytes.js";
import { compareRanges } from "../../../bytes/order.js";
import { EntryBlock, grown } from "../../../lsm/format/entry-block.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { type RangeDeletion, rangeDeletion } from "./tombstones.js";

/** Entries and bytes of one block at most; a single longer entry has a block of its own. */
const BLOCK_ENTRIES = 1024;
const BLOCK_BYTES = 1024 * 1024;

const FIRST_CAPACITY = 64;

/** Sorted entries of a column family that are in memory. */
export interface Memtable {
  readonly blocks: readonly EntryBlock[];
  readonly rangeDeletions: readonly RangeDeletion[];
  /** Changes in the log, also those that later ones override. */
  readonly changes: number;
  /** Bytes of their keys and values. */
  readonly bytes: number;
}

/**
 * Takes changes in the order of their sequence numbers. A log may have tens of millions: what is kept of each is numbers
 * in flat arrays, for an object of its own would take more than the change itself.
 */
export class MemtableBuilder {
  /** Whole buffers with the bytes of changes: a log is one, a batch that is spread over its blocks another. */
  readonly #sources: Uint8Array[] = [];
  #count = 0;
  #source = new Uint32Array(FIRST_CAPACITY);
  #keyStarts = new Uint32Array(FIRST_CAPACITY);
  #keyEnds = new Uint32Array(FIRST_CAPACITY);
  #valueStarts = new Uint32Array(FIRST_CAPACITY);
  #valueEnds = new Uint32Array(FIRST_CAPACITY);
  #sequences = new Float64Array(FIRST_CAPACITY);
  #types = new Uint8Array(FIRST_CAPACITY);
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
    const at = this.#count++;
    if (at === this.#types.length) this.#grow();
    if (this.#sources.at(-1)?.buffer !== bytes.buffer) this.#sources.push(new Uint8Array(bytes.buffer));
    const offset = bytes.byteOffset;
    this.#source[at] = this.#sources.length - 1;
    this.#keyStarts[at] = offset + keyStart;
    this.#keyEnds[at] = offset + keyEnd;
    this.#valueStarts[at] = offset + valueStart;
    this.#valueEnds[at] = offset + valueEnd;
    this.#sequences[at] = sequence;
    this.#types[at] = type;
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
      changes: this.#count + this.#rangeDeletions.length,
      bytes: this.#size,
    };
  }

  #grow(): void {
    const longer = 2 * this.#types.length;
    this.#source = grown(this.#source, new Uint32Array(longer));
    this.#keyStarts = grown(this.#keyStarts, new Uint32Array(longer));
    this.#keyEnds = grown(this.#keyEnds, new Uint32Array(longer));
    this.#valueStarts = grown(this.#valueStarts, new Uint32Array(longer));
    this.#valueEnds = grown(this.#valueEnds, new Uint32Array(longer));
    this.#sequences = grown(this.#sequences, new Float64Array(longer));
    this.#types = grown(this.#types, new Uint8Array(longer));
  }

  /** The newest entry of each key, in key order. */
  #newest(): Uint32Array {
    const order = new Uint32Array(this.#count);
    for (let at = 0; at < order.length; at++) order[at] = at;
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
      this.#bytesOf(a),
      this.#keyStarts[a] as number,
      this.#keyEnds[a] as number,
      this.#bytesOf(b),
      this.#keyStarts[b] as number,
      this.#keyEnds[b] as number,
    );
  }

  #bytesOf(at: number): Uint8Array {
    return this.#sources[this.#source[at] as number] as Uint8Array;
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
      const bytes = this.#bytesOf(at);
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
