/** The newest entry of each key of a column family in the write-ahead logs, or in a part of them, sorted by key. */

import { copyBytes, grown } from "../../../bytes/bytes.js";
import { firstNotBefore } from "../../../bytes/search.js";
import type { TableEntry } from "../../../lsm/format/encode-table.js";
import type { EntryBlock } from "../../../lsm/format/entry-block.js";
import { EntryType } from "../../../lsm/format/internal-key.js";
import { Pause } from "../../../pause.js";
import { Arena } from "./arena.js";
import { AscendingRuns } from "./ascending-runs.js";
import { sortEntries } from "./sort-entries.js";
import { type RangeDeletion, rangeDeletion } from "./tombstones.js";

/** The most entries and bytes of one block. A single longer entry has its own block. */
const BLOCK_ENTRIES = 1024;
const BLOCK_BYTES = 1024 * 1024;

const FIRST_CAPACITY = 64;

/** The number of entries between two looks at the clock. */
const TURN = 1024;

/** Overridden entries are dropped for the first time when all entries together have this many bytes. */
const FIRST_DROP = 128 * 1024 * 1024;
/** They are dropped again each time the entries have grown by this factor, because sorting takes as long as reading. */
const DROP_GROWTH = 4;

/** The members of a {@link Memtable} other than its entries. */
type MemtableCounts = Pick<Memtable, "changes" | "bytes" | "rangeDeletions">;

/** Sorted entries of a column family in memory. */
export class Memtable {
  /** The number of changes in the logs, including overridden ones. */
  readonly changes: number;
  /** The bytes of their keys and values. */
  readonly bytes: number;
  readonly rangeDeletions: readonly RangeDeletion[];
  readonly #arena: Arena;
  /** The places of the entries, in the order of their keys. */
  readonly #places: Uint32Array;

  constructor(arena: Arena, places: Uint32Array, { changes, bytes, rangeDeletions }: MemtableCounts) {
    this.#arena = arena;
    this.#places = places;
    this.changes = changes;
    this.bytes = bytes;
    this.rangeDeletions = rangeDeletions;
  }

  /** The number of entries. */
  get count(): number {
    return this.#places.length;
  }

  /** Returns the first entry whose key is not before `key`; `count` if no key is. */
  find(key: Uint8Array): number {
    return firstNotBefore(this.count, (at) => this.compare(at, key) < 0);
  }

  /** Compares the key of an entry with `key`: negative if it comes before, 0 if it is equal. */
  compare(at: number, key: Uint8Array): number {
    return this.#arena.compareKey(this.#places[at] as number, key, 0, key.length);
  }

  /** Returns an entry, with views of its key and value. */
  entry(at: number): TableEntry {
    const arena = this.#arena;
    const place = this.#places[at] as number;
    const bytes = arena.bytesOf(place);
    const start = arena.keyStart(place);
    const middle = start + arena.keyLength(place);
    return {
      type: arena.type(place),
      sequence: arena.sequence(place),
      key: bytes.subarray(start, middle),
      value: bytes.subarray(middle, middle + arena.valueLength(place)),
    };
  }

  /** All entries, in their order. */
  *entries(): Generator<TableEntry> {
    for (let at = 0; at < this.count; at++) yield this.entry(at);
  }

  /** Merges two memtables. All entries of the second are newer than all entries of the first. */
  static async merged(older: Memtable, newer: Memtable): Promise<Memtable> {
    const arena = new Arena(older.#arena.size + newer.#arena.size);
    const places = new Uint32Array(older.count + newer.count);
    const pause = new Pause();
    let count = 0;
    for (let at = 0, next = 0; at < older.count || next < newer.count; ) {
      if (count % TURN === TURN - 1) await pause.ifLong();
      const order = older.#order(at, newer, next);
      const [from, index] = order < 0 ? [older, at] : [newer, next];
      places[count++] = from.#arena.copyTo(arena, from.#places[index] as number);
      if (order <= 0) at++;
      if (order >= 0) next++;
    }
    return new Memtable(arena, places.slice(0, count), {
      changes: older.changes + newer.changes,
      bytes: older.bytes + newer.bytes,
      rangeDeletions: [...older.rangeDeletions, ...newer.rangeDeletions],
    });
  }

  /** Compares the keys of entries of two memtables: negative if this one comes first. A missing entry comes last. */
  #order(at: number, other: Memtable, otherAt: number): number {
    if (at === this.count) return 1;
    if (otherAt === other.count) return -1;
    const place = other.#places[otherAt] as number;
    const start = other.#arena.keyStart(place);
    const end = start + other.#arena.keyLength(place);
    return this.#arena.compareKey(this.#places[at] as number, other.#arena.bytesOf(place), start, end);
  }

  /**
   * Copies entries of `[from, to)` into a block: as many as fit, from the first one on, or up to the last one.
   *
   * @param keysOnly whether the values are left out
   */
  fill(block: EntryBlock, from: number, to: number, reverse: boolean, keysOnly: boolean): void {
    const arena = this.#arena;
    let [first, end] = reverse ? [to, to] : [from, from];
    let keyBytes = 0;
    let valueBytes = 0;
    while (end - first < BLOCK_ENTRIES && keyBytes + valueBytes < BLOCK_BYTES && end - first < to - from) {
      const place = this.#places[reverse ? --first : end++] as number;
      keyBytes += arena.keyLength(place);
      if (!keysOnly) valueBytes += arena.valueLength(place);
    }
    while (block.types.length < end - first) block.growEntries();
    const keys = new Uint8Array(keyBytes);
    const values = new Uint8Array(valueBytes);
    let key = 0;
    let value = 0;
    for (let at = first; at < end; at++) {
      const index = at - first;
      const place = this.#places[at] as number;
      const bytes = arena.bytesOf(place);
      const start = arena.keyStart(place);
      const middle = start + arena.keyLength(place);
      keys.set(bytes.subarray(start, middle), key);
      block.keyStarts[index] = key;
      key += middle - start;
      block.keyEnds[index] = key;
      block.valueStarts[index] = value;
      if (!keysOnly) {
        const length = arena.valueLength(place);
        values.set(bytes.subarray(middle, middle + length), value);
        value += length;
      }
      block.valueEnds[index] = value;
      block.sequences[index] = arena.sequence(place);
      block.types[index] = arena.type(place);
    }
    block.keys = keys;
    block.keysUsed = keyBytes;
    block.values = values;
    block.count = end - first;
  }
}

/**
 * Builds a memtable from changes in the order of their sequence numbers. The logs may have tens of millions of changes:
 * each is copied once, and costs one number more.
 */
export class MemtableBuilder {
  #arena = new Arena();
  #count = 0;
  #places: Uint32Array = new Uint32Array(FIRST_CAPACITY);
  #runs: AscendingRuns | undefined = new AscendingRuns();
  #nextDrop = FIRST_DROP;
  #changes = 0;
  #bytes = 0;
  readonly #rangeDeletions: RangeDeletion[] = [];

  /** True if so many entries were added since the last `drop` that another one may free memory. */
  get isFull(): boolean {
    return this.#arena.size >= this.#nextDrop;
  }

  add(
    type: number,
    sequence: number,
    bytes: Uint8Array,
    keyStart: number,
    keyEnd: number,
    valueStart: number,
    valueEnd: number,
  ): void {
    this.#changes++;
    this.#bytes += keyEnd - keyStart + (valueEnd - valueStart);
    if (type === EntryType.RangeDeletion) {
      const begin = copyBytes(bytes.subarray(keyStart, keyEnd));
      const end = copyBytes(bytes.subarray(valueStart, valueEnd));
      this.#rangeDeletions.push(rangeDeletion(begin, end, sequence));
      return;
    }
    if (this.#count === this.#places.length)
      this.#places = grown(this.#places, new Uint32Array(2 * this.#count));
    this.#places[this.#count++] = this.#arena.add(
      type,
      sequence,
      bytes,
      keyStart,
      keyEnd,
      valueStart,
      valueEnd,
    );
    this.#runs?.add(this.#arena, this.#places, this.#count);
  }

  /** Frees the memory of overridden entries, if they take a quarter of it. */
  async drop(): Promise<void> {
    const newest = await this.#newest();
    let size = 0;
    for (const place of newest) size += this.#arena.keyLength(place) + this.#arena.valueLength(place);
    if (size < 0.75 * this.#arena.size) {
      const arena = new Arena();
      newest.sort();
      await this.#arena.moveTo(arena, newest);
      this.#arena = arena;
      this.#places = grown(newest, new Uint32Array(Math.max(FIRST_CAPACITY, 2 * newest.length)));
      this.#count = newest.length;
      this.#runs = undefined; // the runs have the old numbers of the entries
    }
    this.#nextDrop = Math.max(FIRST_DROP, DROP_GROWTH * this.#arena.size);
  }

  /** Returns the result. The builder must not be used afterwards. */
  async build(): Promise<Memtable> {
    return new Memtable(this.#arena, await this.#newest(), {
      changes: this.#changes,
      bytes: this.#bytes,
      rangeDeletions: this.#rangeDeletions,
    });
  }

  /** The places of the newest entry of each key, in the order of the keys. */
  async #newest(): Promise<Uint32Array> {
    const added = this.#places.subarray(0, this.#count);
    const inOrder = this.#runs?.merged(this.#arena, added);
    if (inOrder !== undefined) return inOrder;
    const places = copyOf(added);
    return copyOf(places.subarray(0, await sortEntries(this.#arena, places)));
  }
}

function copyOf(places: Uint32Array): Uint32Array {
  return new Uint32Array(places);
}
