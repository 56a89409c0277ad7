/** Reads write-ahead logs in pieces of whole blocks, because a log may have gigabytes. */

import { BLOCK } from "./format/log-records.js";
import type { FileSet, FileSource } from "./source.js";

/** The bytes of one read: for a file on a disk, and for a file with slow reads. */
const PIECE = 32 * BLOCK;
const FAR_PIECE = 512 * BLOCK;

/**
 * Yields the content of a log in pieces. One piece is read ahead. The memory of a piece is reused after the next one.
 */
export async function* logPieces(
  source: FileSource,
  { isFar }: Pick<FileSet, "isFar">,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  const size = isFar === true ? FAR_PIECE : PIECE;
  const buffers = [new Uint8Array(Math.min(size, source.size)), new Uint8Array(Math.min(size, source.size))];
  const read = (offset: number) => {
    const buffer = buffers[(offset / size) % 2] as Uint8Array;
    return source.read(offset, buffer.subarray(0, Math.min(size, source.size - offset)));
  };
  let next: Promise<Uint8Array> | undefined = source.size === 0 ? undefined : read(0);
  try {
    for (let end = size; next !== undefined; end += size) {
      const bytes: Uint8Array = await next;
      next = end < source.size ? read(end) : undefined;
      yield { bytes, isLast: next === undefined };
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

/** Returns the offset of the zeros at the end of a log, which are unused reserved space. */
export async function endOfLog(source: FileSource): Promise<number> {
  const piece = new Uint8Array(Math.min(PIECE, source.size));
  for (let end = source.size; end > 0; ) {
    const start = Math.max(0, end - piece.length);
    const bytes = await source.read(start, piece.subarray(0, end - start));
    const last = bytes.findLastIndex((byte) => byte !== 0);
    if (last >= 0) return start + last + 1;
    end = start;
  }
  return 0;
}
