/** Finds the end of a compressed block without an index, by following the lengths inside it. */

import { wordAt } from "../../bytes/bytes.js";
import { MalformedBytes } from "./byte-cursor.js";
import { type Effort, type Measured, readNumber } from "./measure-block.js";
import { FRAME_MAGIC, readFrameBlocks, readFrameHeader } from "./zstd-frame.js";

/** The cost of following one sequence. */
const STEP_COST = 4;

/** The bytes of the longest dictionary that a node configures. A block cannot copy from further back. */
const LONGEST_DICTIONARY = 16 * 1024;

/** The most bytes that a byte of LZ4 expands to. */
const RATIO = 255;

/**
 * Returns the length of the contents of the LZ4 block at `start`. Its sequences end when the output has the declared
 * size.
 *
 * @param bytes the available bytes of the file
 * @param left the number of bytes of the file from `start` on
 * @param effort reduced by the work; without effort nothing is found
 */
export function measureLz4(bytes: Uint8Array, start: number, left: number, effort: Effort): Measured {
  const end = Math.min(bytes.length, start + left);
  const beyond = end < start + left ? "more" : undefined;
  const declared = readNumber(bytes, start, end);
  if (declared === undefined) return undefined;
  /** The size of the output. */
  const size = declared.value;
  if (size === 0 || size > RATIO * left) return undefined;
  let at = declared.next;
  let made = 0;
  /** Reads the rest of a length whose first four bits are all set. */
  const more = (): number => {
    let length = 0;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      length += byte;
      if (byte !== 255 || at > end) return length;
      effort.left--;
    }
  };
  while (at < end) {
    effort.left -= STEP_COST;
    if (effort.left < 0) return undefined;
    const token = bytes[at++] as number;
    const literals = token >>> 4 === 15 ? 15 + more() : token >>> 4;
    made += literals;
    at += literals;
    if (made > size) return undefined;
    if (made === size) return at > end ? beyond : at - start;
    if (at + 2 > end) return beyond;
    const back = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    at += 2;
    if (back === 0 || back > made + LONGEST_DICTIONARY) return undefined;
    made += 4 + ((token & 15) === 15 ? 15 + more() : token & 15);
    if (made >= size) return undefined;
  }
  return beyond;
}

/** {@link measureLz4} for a block of Zstandard: a frame, whose last block has a mark. */
export function measureZstd(bytes: Uint8Array, start: number, left: number, effort: Effort): Measured {
  const end = Math.min(bytes.length, start + left);
  const at = readNumber(bytes, start, end)?.next;
  if (at === undefined) return undefined;
  if (at + 4 <= end && wordAt(bytes, at) !== FRAME_MAGIC) return undefined;
  const beyond = end < start + left ? "more" : undefined;
  const part = bytes.subarray(at, end);
  try {
    const header = readFrameHeader(part);
    const blocks = readFrameBlocks(part, header.at, effort);
    const last = at + blocks.end + (header.hasChecksum ? 4 : 0);
    return last > end ? beyond : last - start;
  } catch (error) {
    if (error instanceof MalformedBytes) return effort.left < 0 ? undefined : beyond;
    throw error;
  }
}
