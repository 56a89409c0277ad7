/** A set of 32-byte ids in contiguous memory, and the search for them inside other bytes. */

import { grown, signedWordAt } from "./bytes.js";
import { toHex } from "./hex.js";

/** Bytes of an id. */
export const ID_BYTES = 32;

/** The number of ids and of buckets for which a new table has room. */
const FIRST_CAPACITY = 64;

/** Bits of the filter for each id in the capacity: about one in sixteen other words passes. */
const FILTER_BITS = 16;

/**
 * A random number for each value of each byte of an id, the same for all tables of a process. The hash of an id is the
 * sum, by exclusive or, of the numbers of its bytes: nobody can construct ids that share a slot without knowing the
 * numbers. They are made for the first table, because some runtimes refuse random numbers while modules are loaded.
 */
let randomNumbers: Int32Array | undefined;

function numbersOfProcess(): Int32Array {
  randomNumbers ??= crypto.getRandomValues(new Int32Array(ID_BYTES * 256));
  return randomNumbers;
}

/**
 * Ids, numbered from 0 in the order of their addition. A table takes 44 to 88 bytes for each id, and 2 to 4 more once
 * it was searched. Ids that share most of their bytes take no more time than others. It is a linear hash table: it
 * grows by one bucket for each id, so that no call has to place all ids again.
 */
export class IdTable {
  readonly #random = numbersOfProcess();
  #ids = new Uint8Array(FIRST_CAPACITY * ID_BYTES);
  #hashes = new Int32Array(FIRST_CAPACITY);
  /** For each bucket the number of its newest id plus 1, or 0 for none. */
  #newest = new Uint32Array(FIRST_CAPACITY);
  /** For each id the number of the next older one in its bucket plus 1, or 0 for none. */
  #older = new Uint32Array(FIRST_CAPACITY);
  /**
   * A bit for the first four bytes of each id, made for the first search. It rejects nearly all searched bytes without
   * a lookup.
   */
  #filter = new Uint8Array(0);
  /** The number of ids that are in the filter. */
  #marked = 0;
  #size = 0;
  #buckets = FIRST_CAPACITY;
  /**
   * The number of buckets before the last doubling, minus 1. The buckets after it took the hashes of the first ones
   * with one bit more.
   */
  #mask = FIRST_CAPACITY - 1;

  get size(): number {
    return this.#size;
  }

  /** All ids, one after another, as a view. */
  get bytes(): Uint8Array {
    return this.#ids.subarray(0, this.#size * ID_BYTES);
  }

  /** The id with a number, as a view. */
  at(number: number): Uint8Array {
    return this.#ids.subarray(number * ID_BYTES, (number + 1) * ID_BYTES);
  }

  /** Adds the id that begins at `at` and returns its number. An id that is already in the table keeps its number. */
  add(bytes: Uint8Array, at = 0): number {
    const hash = this.#hashOf(bytes, at);
    const known = this.#numberOf(hash, bytes, at);
    if (known >= 0) return known;
    if (this.#size === this.#hashes.length) this.#grow();
    // A view costs more than the copy.
    const id = bytes.length === ID_BYTES ? bytes : bytes.subarray(at, at + ID_BYTES);
    this.#ids.set(id, this.#size * ID_BYTES);
    this.#hashes[this.#size] = hash;
    if (this.#size === this.#buckets) this.#split();
    this.#link(this.#size);
    return this.#size++;
  }

  /** Returns the number of the id that begins at `at`, or -1. */
  find(bytes: Uint8Array, at = 0): number {
    return this.#numberOf(this.#hashOf(bytes, at), bytes, at);
  }

  /** Returns whether the table has the id that begins at `at`. */
  has(bytes: Uint8Array, at = 0): boolean {
    return this.find(bytes, at) >= 0;
  }

  /** Returns the numbers of all ids that occur in `bytes`, in the order of their offsets. */
  search(bytes: Uint8Array): readonly number[] {
    const found: number[] = [];
    const last = bytes.length - ID_BYTES;
    if (this.#size === 0 || last < 0) return found;
    const [seed, filter] = [this.#random[0] as number, this.#filterOfAll()];
    const bits = 8 * filter.length - 1;
    let word = signedWordAt(bytes, 0);
    for (let at = 0; at <= last; at++) {
      const bit = mixed(seed ^ word) & bits;
      if (((filter[bit >> 3] as number) & (1 << (bit & 7))) !== 0) {
        const number = this.find(bytes, at);
        if (number >= 0) found.push(number);
      }
      word = (word >>> 8) | ((bytes[at + 4] as number) << 24);
    }
    return found;
  }

  /** Returns whether any id of the table occurs in `bytes`. */
  isIn(bytes: Uint8Array): boolean {
    return this.search(bytes).length > 0;
  }

  #filterOfAll(): Uint8Array {
    const length = (this.#hashes.length * FILTER_BITS) >> 3;
    if (this.#filter.length < length) {
      this.#filter = new Uint8Array(length);
      this.#marked = 0;
    }
    const filter = this.#filter;
    for (; this.#marked < this.#size; this.#marked++) {
      const word = signedWordAt(this.#ids, this.#marked * ID_BYTES);
      const bit = mixed((this.#random[0] as number) ^ word) & (8 * length - 1);
      filter[bit >> 3] = (filter[bit >> 3] as number) | (1 << (bit & 7));
    }
    return filter;
  }

  #numberOf(hash: number, bytes: Uint8Array, at: number): number {
    let number = (this.#newest[this.#bucketOf(hash)] as number) - 1;
    while (number >= 0 && !this.#equal(number * ID_BYTES, bytes, at))
      number = (this.#older[number] as number) - 1;
    return number;
  }

  #bucketOf(hash: number): number {
    const bucket = hash & (2 * this.#mask + 1);
    return bucket < this.#buckets ? bucket : bucket & this.#mask;
  }

  #hashOf(bytes: Uint8Array, at: number): number {
    const random = this.#random;
    let hash = 0;
    for (let offset = 0; offset < ID_BYTES; offset++)
      hash ^= random[(offset << 8) | (bytes[at + offset] as number)] as number;
    return hash;
  }

  #equal(start: number, bytes: Uint8Array, at: number): boolean {
    for (let offset = 0; offset < ID_BYTES; offset++)
      if (this.#ids[start + offset] !== bytes[at + offset]) return false;
    return true;
  }

  #link(number: number): void {
    const bucket = this.#bucketOf(this.#hashes[number] as number);
    this.#older[number] = this.#newest[bucket] as number;
    this.#newest[bucket] = number + 1;
  }

  /** Adds a bucket, and moves its ids there. */
  #split(): void {
    if (this.#buckets > 2 * this.#mask + 1) this.#mask = 2 * this.#mask + 1;
    const split = this.#buckets++ & this.#mask;
    let left = this.#newest[split] as number;
    this.#newest[split] = 0;
    while (left > 0) {
      const number = left - 1;
      left = this.#older[number] as number;
      this.#link(number);
    }
  }

  #grow(): void {
    const capacity = 2 * this.#hashes.length;
    this.#ids = grown(this.#ids, new Uint8Array(capacity * ID_BYTES));
    this.#hashes = grown(this.#hashes, new Int32Array(capacity));
    this.#newest = grown(this.#newest, new Uint32Array(capacity));
    this.#older = grown(this.#older, new Uint32Array(capacity));
  }
}

/** Spreads a difference in any bit over all bits. */
function mixed(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Ids of 32 bytes as 64 hex digits. */
export class IdTexts {
  readonly #ids = new IdTable();
  readonly #texts: string[] = [];

  /** The text of an id. */
  of(id: Uint8Array): string {
    const number = this.#ids.add(id);
    if (number === this.#texts.length) this.#texts.push(toHex(id));
    return this.#texts[number] as string;
  }
}
