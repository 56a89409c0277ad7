/** Finding the end of a block without an index: its entries are followed up to the restart points. */

import { grown, wordAt } from "../../bytes/bytes.js";

/** The measure of the block that may begin at an offset. */
export type Measured =
  /** A block, with so many bytes of contents. */
  | number
  /** Bytes that may be the beginning of a block with more bytes than there are. */
  | "more"
  | undefined;

/** The work that a search may still do. */
export interface Effort {
  left: number;
}

/** Bytes of a block without entries: a restart point, and the number of restart points. */
const EMPTY = 8;

/** The cost of following one entry. */
const ENTRY_COST = 4;

/**
 * The length of the contents of the uncompressed block that begins at `start`: entries, then the offsets of those that share
 * nothing, then their number. Only the checksum shows that it is a block.
 *
 * @param bytes what is at hand of the file
 * @param left bytes of the file from `start` on
 * @param effort is used up; nothing is found without any
 */
export function measureBlock(bytes: Uint8Array, start: number, left: number, effort: Effort): Measured {
  const end = Math.min(bytes.length, start + left);
  /** The offsets of entries that share nothing: one of them in sixteen is a restart point, by default. */
  let restarts = new Uint32Array(16);
  let count = 0;
  let previous = 0;
  let at = start;
  for (;;) {
    if (end - at < 8) return end < start + left ? "more" : undefined;
    if (at === start && wordAt(bytes, at) === 0 && wordAt(bytes, at + 4) === 1) return EMPTY;
    // An entry does not begin with four zeros: its key has bytes, or shares some.
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
    // An entry has more than one byte, so no offset but the first is as small as the number of those before it.
    if (count > 0 && word === count) return at + 4 - start;
    while (candidate < candidates.length && (candidates[candidate] as number) < word) candidate++;
    if (candidates[candidate] !== word) return undefined;
    candidate++;
  }
}

/** A number in a block, and the offset after it. */
interface NumberAt {
  readonly value: number;
  readonly next: number;
}

/** A number of at most 32 bits, seven in each byte; undefined if it is longer, or cut. */
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
