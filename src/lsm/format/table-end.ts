/** The end of a table: its footer, and the blocks with the places of its other blocks. */

import { chain, type FileSource, type MaybePromise, readBytes } from "../source.js";
import { MalformedBytes } from "./byte-cursor.js";
import { BLOCK_TRAILER, verifyBlock } from "./checksum.js";
import { type BlockHandle, FOOTER, type Footer, handleWithin, readFooter } from "./footer.js";
import { type Metaindex, readMetaindex } from "./properties.js";

/** The bytes of the first read at the end of a table. Usually opening the table needs no more. */
const TAIL = 8 * 1024;

export interface TableEnd {
  readonly footer: Footer;
  readonly metaindex: Metaindex;
  /** The contents of the block of properties. */
  readonly properties: Uint8Array;
  /** Returns the contents of a block that is never compressed. @throws MalformedBytes, UnsupportedFormat */
  block(handle: BlockHandle): MaybePromise<Uint8Array>;
}

/** @throws MalformedBytes, UnsupportedFormat; MerostoreError of reading the file */
export async function readTableEnd(source: FileSource): Promise<TableEnd> {
  const size = Math.min(TAIL, source.size);
  if (size < FOOTER) throw new MalformedBytes("it is shorter than a footer");
  const start = source.size - size;
  const tail = await readBytes(source, start, new Uint8Array(size));
  /** Earlier bytes are read on demand. */
  const read = (offset: number, length: number): MaybePromise<Uint8Array> =>
    offset < start
      ? readBytes(source, offset, new Uint8Array(length))
      : tail.subarray(offset - start, offset - start + length);
  const footer = await readFooter(tail.subarray(size - FOOTER), source.size - FOOTER);
  const block = (handle: BlockHandle): MaybePromise<Uint8Array> => {
    handleWithin(handle, source.size, "a block is beyond the end of the file");
    return chain(read(handle.offset, handle.size + BLOCK_TRAILER), (bytes) => {
      verifyBlock(footer, bytes, 0, handle);
      if (bytes[handle.size] !== 0) throw new MalformedBytes("a block is compressed that never is");
      return bytes.subarray(0, handle.size);
    });
  };
  const metaindex = readMetaindex(await block(footer.metaindex), footer);
  return { footer, metaindex, properties: await block(metaindex.properties), block };
}
