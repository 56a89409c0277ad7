/**
 * Random values of any codec: the codec reads from a source that invents bytes. Tags and lengths are small, so that
 * most attempts succeed. Failed attempts are repeated.
 */

import { ReadFailure } from "../../src/codec/errors.js";
import { type Codec, Untagged } from "../../src/codec/index.js";
import { Reader } from "../../src/codec/reader.js";

/** Numbers from a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXT = new TextEncoder().encode('plain text, żółw 🐢, "quoted"\n\0 and so on; '.repeat(2_000));

class InventingReader extends Reader {
  readonly #random: () => number;

  constructor(random: () => number) {
    super(TEXT);
    this.#random = random;
    this.at = Math.floor(random() * 20_000);
  }

  /** Bounds codecs that read all bytes to the end. */
  override get left(): number {
    return 400;
  }

  override u8(): number {
    this.at++;
    return this.#random() < 0.9 ? Math.floor(this.#random() * 4) : Math.floor(this.#random() * 256);
  }

  override u32(): number {
    const kind = this.#random();
    return kind < 0.9 ? Math.floor(this.#random() * 4) : Math.floor(this.#random() * 60);
  }

  override u64(): bigint {
    const high = BigInt(Math.floor(this.#random() * 2 ** 32));
    return this.#random() < 0.3 ? high & 0xffn : (high << 32n) | BigInt(Math.floor(this.#random() * 2 ** 32));
  }
}

/** A value in one of the layouts of a codec that reads all bytes to the end: an endless source has no end. */
function untaggedValue<T>(codec: Untagged<T>, random: () => number): T {
  const { shape } = codec;
  const variants = shape.is === "enum" ? shape.variants.filter(([, fields]) => fields.length > 0) : [];
  const [kind, fields] = variants[Math.floor(random() * variants.length)] as (typeof variants)[number];
  const values = fields.map(([name, of]) => [name, randomValue(of, random)] as const);
  return codec.decode(codec.encode({ kind, ...Object.fromEntries(values) } as T));
}

/** A value of the codec's type. */
export function randomValue<T>(codec: Codec<T>, random: () => number): T {
  if (codec instanceof Untagged) return untaggedValue<T>(codec, random);
  for (let attempt = 0; attempt < 50_000; attempt++) {
    try {
      // Encoded and decoded again, so that the value shares no bytes.
      return codec.decode(codec.encode(codec.read(new InventingReader(random))));
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error;
    }
  }
  throw new Error(`No value of ${codec.signature} in 50,000 attempts`);
}
