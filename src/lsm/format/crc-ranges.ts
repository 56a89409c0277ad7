/** Computes the CRC-32C of any range in a piece of a file, in nearly constant time. For searches. */

import { crcOfPrefixes } from "./crc32c.js";

const POLYNOMIAL = 0x82f63b78;

/** A linear map of 32 bits: element `n` is the image of bit `n`. */
type LinearMap = Uint32Array;

/**
 * Element `n` maps the CRC of some bytes to the CRC of these bytes and 2^n zeros. A block of a log has fewer than 2^16
 * bytes.
 */
let afterZeros: readonly LinearMap[] | undefined;

/** The CRCs of ranges of `bytes[from, to)`. */
export class CrcRanges {
  readonly #prefixes: Uint32Array;
  readonly #from: number;

  /** @param to at most 65,535 bytes after `from` */
  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#prefixes = crcOfPrefixes(bytes, from, to);
    this.#from = from;
  }

  /** Returns the unsigned CRC-32C of `bytes[start, end)`, a range in the piece. */
  of(start: number, end: number): number {
    let before = this.#prefixes[start - this.#from] as number;
    afterZeros ??= mapsAfterZeros(16);
    for (let length = end - start, bit = 0; length > 0; length >>>= 1, bit++) {
      if ((length & 1) === 1) before = image(afterZeros[bit] as LinearMap, before);
    }
    return ((this.#prefixes[end - this.#from] as number) ^ before) >>> 0;
  }
}

function mapsAfterZeros(count: number): LinearMap[] {
  const oneBit = Uint32Array.from({ length: 32 }, (_, bit) => (bit === 0 ? POLYNOMIAL : 1 << (bit - 1)));
  let map = twice(twice(twice(oneBit)));
  const maps: LinearMap[] = [];
  for (let at = 0; at < count; at++) {
    maps.push(map);
    map = twice(map);
  }
  return maps;
}

function twice(map: LinearMap): LinearMap {
  return map.map((bits) => image(map, bits));
}

function image(map: LinearMap, bits: number): number {
  let sum = 0;
  for (let left = bits, bit = 0; left !== 0; left >>>= 1, bit++)
    if ((left & 1) === 1) sum ^= map[bit] as number;
  return sum;
}
