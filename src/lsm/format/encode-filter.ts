/**
 * Encodes the filter of a table: a Bloom filter with all bits of a key in one cache line, which RocksDB reads since
 * 6.6. A filter rules out most absent keys without a read.
 */

import { grown } from "../../bytes/bytes.js";
import { hashKey, LONGEST_HASHED_KEY } from "./key-hash.js";

/** The name of a filter in the metaindex. */
export const FILTER_NAME = "fullfilter.rocksdb.BuiltinBloomFilter";

/** Bits of the filter for each key by default. */
export const BLOOM_BITS = 10;
/** The most bits for each key: RocksDB treats a filter with more than 30 probes as one of a future format. */
export const MOST_BLOOM_BITS = 50;
/** The number of set bits of a key, for each bit of the filter per key. */
const PROBES_PER_BIT = 0.6;
/** The bytes of a cache line, and the number of bits in the place of a bit in it. */
const LINE = 64;
const LINE_BITS = 9;
/** The factor from one bit of a key to the next. */
const NEXT = 0x9e3779b9;
/** Bytes after the bits: −1 for filters of this family, 0 for this one, the bits of a key, a seed. */
const TRAILER = 5;

/** Keys between two pauses. */
const TURN = 4096;

/** Collects the keys of a table. */
export class FilterBuilder {
  /** The hashes, each in two halves. */
  #hashes: Uint32Array = new Uint32Array(1024);
  #count = 0;
  #isPossible: boolean;
  readonly #bitsPerKey: number;
  readonly #probes: number;

  /** @param bitsPerKey 0 for no filter */
  constructor(bitsPerKey: number) {
    this.#bitsPerKey = bitsPerKey;
    this.#probes = Math.max(1, Math.round(bitsPerKey * PROBES_PER_BIT));
    this.#isPossible = bitsPerKey > 0;
  }

  /** The number of keys so far. */
  get count(): number {
    return this.#count;
  }

  add(key: Uint8Array): void {
    if (key.length > LONGEST_HASHED_KEY) this.#isPossible = false;
    if (!this.#isPossible) return;
    if (2 * this.#count === this.#hashes.length)
      this.#hashes = grown(this.#hashes, new Uint32Array(2 * this.#hashes.length));
    hashKey(key, this.#hashes, 2 * this.#count);
    this.#count++;
  }

  /**
   * Returns the filter; undefined without keys or bits, or if a key is too long for the hash here.
   *
   * @param pause called repeatedly
   */
  async finish(pause: () => Promise<void>): Promise<Uint8Array | undefined> {
    if (!this.#isPossible || this.#count === 0) return undefined;
    const lines = Math.ceil((this.#count * this.#bitsPerKey) / (8 * LINE));
    const filter = new Uint8Array(lines * LINE + TRAILER);
    for (let at = 0; at < this.#count; at += TURN) {
      await pause();
      this.#set(filter, lines, at, Math.min(this.#count, at + TURN));
    }
    filter.set([0xff, 0, this.#probes], lines * LINE);
    return filter;
  }

  /** Sets the bits of the keys of `[from, to)`. */
  #set(filter: Uint8Array, lines: number, from: number, to: number): void {
    for (let at = 2 * from; at < 2 * to; at += 2) {
      // The lower half selects the line, and the upper half selects the bits.
      const line = Math.floor(((this.#hashes[at] as number) * lines) / 2 ** 32) * LINE;
      let bits = this.#hashes[at + 1] as number;
      for (let probe = 0; probe < this.#probes; probe++) {
        const bit = bits >>> (32 - LINE_BITS);
        const byte = line + (bit >>> 3);
        filter[byte] = (filter[byte] as number) | (1 << (bit & 7));
        bits = Math.imul(bits, NEXT);
      }
    }
  }
}
