/**
 * Numbers and values from a seed, for the differential test. The values come from our codecs: they read from a source
 * that invents bytes (the idea of test/support/random-values.ts, for the built library).
 */
import { ReadFailure } from "../../dist/codec/errors.js";
import { Reader } from "../../dist/codec/reader.js";

/** A number for a text: seeds one type's cases independently of the other types'. */
export function hash(text) {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 0x01000193) >>> 0;
  return state;
}

/** Numbers from a seed (mulberry32). */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed | 0;
  }

  /** A 32-bit word. */
  word() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From 0 to `end - 1`. */
  below(end) {
    return Math.floor((this.word() / 2 ** 32) * end);
  }

  chance(probability) {
    return this.word() < probability * 2 ** 32;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

const TEXT = new TextEncoder().encode('plain text, żółw 🐢, "quoted"\n\0 and so on; '.repeat(2_000));

class InventingReader extends Reader {
  #random;

  constructor(random) {
    super(TEXT);
    this.#random = random;
    this.at = random.below(20_000);
  }

  /** Bounds what takes all there is. */
  get left() {
    return 200;
  }

  u8() {
    this.at++;
    return this.#random.chance(0.8) ? this.#random.below(4) : this.#random.below(256);
  }

  u32() {
    return this.#random.below(this.#random.chance(0.9) ? 4 : 60);
  }

  u64() {
    const high = BigInt(this.#random.word());
    return this.#random.chance(0.3) ? high & 0xffn : (high << 32n) | BigInt(this.#random.word());
  }
}

const ATTEMPTS = 100;

/** The bytes of a made-up value; undefined if the codec refused all that was invented. */
export function inventedBytes(codec, random) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      // A copy: what the codec returns is a view of its slab.
      return codec.encode(codec.read(new InventingReader(random))).slice();
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error;
    }
  }
  return undefined;
}
