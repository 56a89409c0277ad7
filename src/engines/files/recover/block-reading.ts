/** Reads a block of a damaged table. */

import { isDamage } from "../../../lsm/damage.js";
import {
  BLOCK_TRAILER,
  type BlockChecks,
  type BlockPlace,
  verifyBlock,
} from "../../../lsm/format/checksum.js";
import type { BlockContent, Decompressors } from "../../../lsm/format/compression.js";
import type { FileSource } from "../../../lsm/source.js";

/** The parameters for reading the blocks of a table. */
export interface BlockReading {
  readonly checks: BlockChecks;
  readonly decompressors: Decompressors;
}

/** Reads a block of a file. @throws MalformedBytes, UnsupportedFormat */
export async function readBlock(
  source: FileSource,
  { checks, decompressors }: BlockReading,
  block: BlockPlace,
  content: BlockContent,
): Promise<Uint8Array> {
  const bytes = await source.read(block.offset, new Uint8Array(block.size + BLOCK_TRAILER));
  verifyBlock(checks, bytes, 0, block);
  return expanded(bytes, 0, block.size, decompressors, content);
}

/**
 * Returns the contents of a block in a larger piece. The checksum of the block is already verified.
 *
 * @throws MalformedBytes
 */
export function expanded(
  bytes: Uint8Array,
  at: number,
  size: number,
  decompressors: Decompressors,
  content: BlockContent,
): Uint8Array {
  const type = bytes[at + size] as number;
  const contents = bytes.subarray(at, at + size);
  return type === 0 ? contents : decompressors.expand(content, type, contents);
}

/** Describes the damage of bytes. @throws an error that is not about damage */
export function whyOf(error: unknown): string {
  if (!isDamage(error)) throw error;
  return error.message;
}
