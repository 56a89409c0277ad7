/** Encodes LZ4 blocks: greedily, with one candidate for each copy. */

import { signedWordAt } from "../../bytes/bytes.js";

/** The bits of a hash of four bytes. */
const HASH_BITS = 12;
const SHORTEST_COPY = 4;
const FARTHEST = 65_535;
/** The last bytes of a block are literals, and no copy begins near them. */
const LAST_LITERALS = 5;
const LAST_COPY = 12;
/** Lengths from here on continue in further bytes. */
const LONG = 15;

/** The last offset of each hash, plus one. */
const seen = new Int32Array(1 << HASH_BITS);

/** Returns a block of LZ4; undefined if that would take more than seven eighths of the bytes. */
export function compressLz4(bytes: Uint8Array): Uint8Array | undefined {
  const output = new Output(bytes.length - (bytes.length >>> 3));
  seen.fill(0);
  let literals = 0;
  for (let at = 0; at + LAST_COPY < bytes.length; ) {
    const word = signedWordAt(bytes, at);
    const hash = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS);
    const before = (seen[hash] as number) - 1;
    seen[hash] = at + 1;
    if (before < 0 || at - before > FARTHEST || signedWordAt(bytes, before) !== word) {
      // The longer no copy is found, the more bytes are skipped.
      at += 1 + ((at - literals) >>> 6);
      continue;
    }
    let end = at + SHORTEST_COPY;
    while (end < bytes.length - LAST_LITERALS && bytes[end] === bytes[before + end - at]) end++;
    if (!output.sequence(bytes, literals, at, at - before, end - at)) return undefined;
    at = end;
    literals = end;
  }
  return output.sequence(bytes, literals, bytes.length, 0, 0) ? output.result() : undefined;
}

/** The bytes of a block, up to a limit. */
class Output {
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(limit: number) {
    this.#bytes = new Uint8Array(limit);
  }

  /**
   * Adds literals and a copy. Returns false if they do not fit.
   *
   * @param back the distance back to the copied bytes; 0 at the end of the block, which has no copy
   */
  sequence(from: Uint8Array, start: number, end: number, back: number, copied: number): boolean {
    const literals = end - start;
    const rest = back === 0 ? 0 : copied - SHORTEST_COPY;
    const most = 1 + literals + Math.floor(literals / 255) + 1 + 2 + Math.floor(rest / 255) + 1;
    if (this.#length + most > this.#bytes.length) return false;
    this.#byte((Math.min(literals, LONG) << 4) | Math.min(rest, LONG));
    this.#moreOf(literals);
    this.#bytes.set(from.subarray(start, end), this.#length);
    this.#length += literals;
    if (back === 0) return true;
    this.#byte(back & 0xff);
    this.#byte(back >>> 8);
    this.#moreOf(rest);
    return true;
  }

  result(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #moreOf(length: number): void {
    if (length < LONG) return;
    let rest = length - LONG;
    for (; rest >= 255; rest -= 255) this.#byte(255);
    this.#byte(rest);
  }

  #byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }
}
