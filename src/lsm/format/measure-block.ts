/** Finds the end of a block without an index, by following its entries up to the restart points. */

import { grown, wordAt } from "../../bytes/bytes.js";

/** The result for a block that may begin at an offset. */
export type Measured =
  /** A block with so many bytes of contents. */
  | number
  /** The bytes may be the beginning of a longer block. */
  | "more"
  | undefined;

/** The remaining work of a search. */
export interface Effort {
  left: number;
}

/** The bytes of a block without entries: one restart point, and the number of restart points. */
const EMPTY = 8;

/** The cost of following one entry. */
const ENTRY_COST = 4;

/**
 * Returns the length of the contents of the uncompressed block at `start`: entries, then the offsets of restart points,
 * then their number. Only the checksum proves that it is a block.
 *
 * @param bytes the available bytes of the file
 * @param left the number of bytes of the file from `start` on
 * @param effort reduced by the work; without effort nothing is found
 */
export function measureBlock(bytes: Uint8Array, start: number, left: number, effort: Effort): Measured {
  const end = Math.min(bytes.length, start + left);
  /** The offsets of entries that share no prefix. By default one of sixteen entries is a restart point. */
  let restarts = new Uint32Array(16);
  let count = 0;
  let previous = 0;
  let at = start;
  for (;;) {
    if (end - at < 8) return end < start + left ? "more" : undefined;
    if (at === start && wordAt(bytes, at) === 0 && wordAt(bytes, at + 4) === 1) return EMPTY;
    // An entry does not begin with four zeros, because its key is not empty.
    if (at > start && wordAt(bytes, at) === 0) break;
    effort.left -= ENTRY_COST;
    if (effort.left < 0) return undefined;
    const first = readNumber(bytes, at, end);
    const second = first && readNumber(bytes, first.next, end);
    const third = second && readNumber(bytes, second.next, end);
    if (first === undefined || second === undefined || third === undefined) return undefined;
    const [shared, unshared] = [first.value, second.value];
    if (shared > previous || shared + unshared === 0) return undefined;
    if (at === start && shared !== 0) return undefined;
    const next = third.next + unshared + third.value;
    if (next - start > left) return undefined;
    if (next > end) return "more";
    if (shared === 0) {
      if (count === restarts.length) restarts = grown(restarts, new Uint32Array(2 * count));
      restarts[count++] = at - start;
    }
    previous = shared + unshared;
    at = next;
  }
  return lengthWithRestarts(bytes, start, at, end, restarts.subarray(0, count), end < start + left);
}

function lengthWithRestarts(
  bytes: Uint8Array,
  start: number,
  from: number,
  end: number,
  candidates: Uint32Array,
  isCut: boolean,
): Measured {
  let candidate = 0;
  for (let count = 0; ; count++) {
    const at = from + 4 * count;
    if (at + 4 > end) return isCut ? "more" : undefined;
    const word = wordAt(bytes, at);
    // An entry has more than one byte, so each offset except the first is greater than the number of offsets before it.
    if (count > 0 && word === count) return at + 4 - start;
    while (candidate < candidates.length && (candidates[candidate] as number) < word) candidate++;
    if (candidates[candidate] !== word) return undefined;
    candidate++;
  }
}

/** A number, and the offset after it. */
interface NumberAt {
  readonly value: number;
  readonly next: number;
}

/** Reads a number of at most 32 bits, seven in each byte; undefined if it is longer or cut off. */
export function readNumber(bytes: Uint8Array, at: number, end: number): NumberAt | undefined {
  let value = 0;
  let scale = 1;
  for (let next = at; next < end && scale <= 2 ** 28; next++) {
    const byte = bytes[next] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: next + 1 };
    scale *= 128;
  }
  return undefined;
}
