/** The header of a Zstandard frame, and those of its blocks. */

import { ByteCursor, MalformedBytes } from "./byte-cursor.js";
import type { Effort } from "./measure-block.js";

/** The first bytes of a frame. */
export const FRAME_MAGIC = 0xfd2fb528;

/** The bytes of the dictionary's id and of the size of the contents, by their bits in the descriptor. */
const ID_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
const SINGLE_SEGMENT = 0x20;
const CHECKSUM = 0x04;

const BLOCK_HEADER = 3;
const RLE = 1;
const COMPRESSED = 2;
const LARGEST_BLOCK = 128 * 1024;

/** The header of a frame. */
interface FrameHeader {
  /** The id of the needed dictionary; 0 for none. */
  readonly id: number;
  /** The declared bytes of the contents; undefined if not declared. */
  readonly declared: number | undefined;
  /** True if a checksum follows the last block. */
  readonly hasChecksum: boolean;
  /** The offset of the first block. */
  readonly at: number;
}

/** @param start the offset of the frame. @throws MalformedBytes */
export function readFrameHeader(bytes: Uint8Array, start = 0): FrameHeader {
  const fields = new ByteCursor(bytes, start);
  if (little(fields, 4) !== FRAME_MAGIC) throw new MalformedBytes("it is not a Zstandard frame");
  const descriptor = fields.byte();
  const isSingle = (descriptor & SINGLE_SEGMENT) !== 0;
  if (!isSingle) fields.byte(); // the window
  const id = little(fields, ID_BYTES[descriptor & 3] as number);
  const bits = descriptor >>> 6;
  const sizeBytes = bits === 0 && isSingle ? 1 : (SIZE_BYTES[bits] as number);
  const declared = sizeBytes === 0 ? undefined : little(fields, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
  return { id, declared, hasChecksum: (descriptor & CHECKSUM) !== 0, at: fields.position };
}

/** The blocks of a frame: the offset after the last one, and the maximum size of their contents. */
interface FrameBlocks {
  readonly end: number;
  readonly most: number;
}

/** The cost of following one block. */
const BLOCK_COST = 4;

/**
 * @param at the offset of the first block
 * @param effort reduced by the work; without effort the last block is not found
 * @throws MalformedBytes if the bytes, or the effort, end before the last block begins
 */
export function readFrameBlocks(
  bytes: Uint8Array,
  at: number,
  effort: Effort = { left: Infinity },
): FrameBlocks {
  let end = at;
  let most = 0;
  for (let isLast = false; !isLast; ) {
    effort.left -= BLOCK_COST;
    if (effort.left < 0 || end + BLOCK_HEADER > bytes.length)
      throw new MalformedBytes("the frame is truncated");
    const header =
      (bytes[end] as number) | ((bytes[end + 1] as number) << 8) | ((bytes[end + 2] as number) << 16);
    const type = (header >>> 1) & 3;
    const length = header >>> 3;
    isLast = (header & 1) === 1;
    most += type === COMPRESSED ? LARGEST_BLOCK : length;
    end += BLOCK_HEADER + (type === RLE ? 1 : length);
  }
  return { end, most };
}

function little(fields: ByteCursor, bytes: number): number {
  let value = 0;
  for (let at = 0; at < bytes; at++) value += fields.byte() * 2 ** (8 * at);
  return value;
}
