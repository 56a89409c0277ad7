/** A set of 32-byte ids in contiguous memory, and the search for them inside other bytes. */

import { grown, signedWordAt } from "./bytes.js";
import { toHex } from "./hex.js";

/** Bytes of an id. */
export const ID_BYTES = 32;

/** Bits of the filter for each id in the capacity: about one in sixteen other words passes. */
const FILTER_BITS = 16;

/**
 * A random number for each value of each byte of an id, the same for all tables of a process. The hash of an id is the sum,
 * by exclusive or, of the numbers of its bytes: nobody can construct ids that share a slot without knowing the numbers.
 * They are made for the first table, because some runtimes refuse random numbers while modules are loaded.
 */
let randomNumbers: Int32Array | undefined;

function numbersOfProcess(): Int32Array {
  randomNumbers ??= crypto.getRandomValues(new Int32Array(ID_BYTES * 256));
  return randomNumbers;
}

/**
 * Ids, numbered from 0 in the order in which they are added. A table takes 44 to 88 bytes for each id, and 2 to 4 more once it
 * was searched. Ids that share most of their bytes take no more time than others.
 */
export class IdTable {
  readonly #random = numbersOfProcess();
  #ids = new Uint8Array(64 * ID_BYTES);
  /** The number of the id plus 1, or 0 for an empty slot. */
  #places = new Uint32Array(128);
  /** The hashes of the ids: without them a table of 100,000 ids would hold the event loop while it grows. */
  #hashes = new Int32Array(64);
  /** A bit for the first four bytes of each id, made for the first search. It rejects nearly all searched bytes without a lookup. */
  #filter = new Uint8Array(0);
  /** The number of ids that are in the filter. */
  #marked = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** All ids, one after another, as a view. */
  get bytes(): Uint8Array {
    return this.#ids.subarray(0, this.#size * ID_BYTES);
  }

  /** Adds the id that begins at `at` and returns its number. An id that is already in the table keeps its number. */
  add(bytes: Uint8Array, at = 0): number {
    const hash = this.#hashOf(bytes, at);
    const place = this.#placeOf(hash, bytes, at);
    const known = this.#places[place] as number;
    if (known > 0) return known - 1;
    // A view costs more than the copy.
    const id = bytes.length === ID_BYTES ? bytes : bytes.subarray(at, at + ID_BYTES);
    this.#ids.set(id, this.#size * ID_BYTES);
    this.#hashes[this.#size] = hash;
    this.#places[place] = ++this.#size;
    if (this.#size * ID_BYTES === this.#ids.length) this.#grow();
    return this.#size - 1;
  }

  /** Returns the number of the id that begins at `at`, or -1. */
  find(bytes: Uint8Array, at = 0): number {
    return (this.#places[this.#placeOf(this.#hashOf(bytes, at), bytes, at)] as number) - 1;
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

  /** The slot of these bytes, or the empty slot where they would be added. */
  #placeOf(hash: number, bytes: Uint8Array, at: number): number {
    const mask = this.#places.length - 1;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const known = this.#places[place] as number;
      if (known === 0 || this.#equal((known - 1) * ID_BYTES, bytes, at)) return place;
    }
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

  #grow(): void {
    this.#ids = grown(this.#ids, new Uint8Array(this.#ids.length * 2));
    const hashes = grown(this.#hashes, new Int32Array(this.#hashes.length * 2));
    this.#hashes = hashes;
    const places = new Uint32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (let number = 0; number < this.#size; number++) {
      let place = (hashes[number] as number) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = number + 1;
    }
    this.#places = places;
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
