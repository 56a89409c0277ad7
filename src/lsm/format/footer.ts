/** The footer of a table file: the kind of checksum, and the positions of the metaindex and the index. */

import { copyBytes } from "../../bytes/bytes.js";
import { ByteCursor, MalformedBytes, UnreadableFormat, UnsupportedFormat } from "./byte-cursor.js";
import { BLOCK_TRAILER, type BlockChecks, ChecksumType, contextModifier, loadChecksum } from "./checksum.js";

/** Bytes of a footer. */
export const FOOTER = 53;

/** The magic number in the last eight bytes of a table, the higher half first. */
export const MAGIC = [0x88e241b7, 0x85f4cff7] as const;
const LEGACY_MAGIC = [0xdb477524, 0x8b80fb57] as const;
/** The first halves of the magic numbers of plain tables, old and new, and of cuckoo tables. */
const OTHER_MAGICS = [0x82422296, 0x4f3418eb, 0x926789d0];
/** Footers since version 6 have these bytes instead of the positions. */
export const EXTENDED_MAGIC = 0x007a003e;
const NEWEST = 7;

/** The position of a block: its contents, without the trailer. */
export class BlockHandle {
  readonly offset: number;
  readonly size: number;
  /** The cache's entry for the block, stored here to avoid a lookup. */
  cached: object | undefined;

  constructor(offset: number, size: number) {
    this.offset = offset;
    this.size = size;
    this.cached = undefined;
  }
}

export interface Footer extends BlockChecks {
  readonly version: number;
  readonly metaindex: BlockHandle;
  /** The place of the index; undefined from version 6 on, where the metaindex has it. */
  readonly index: BlockHandle | undefined;
}

/**
 * @param bytes the footer
 * @param offset its offset in the file
 * @throws MalformedBytes, UnsupportedFormat
 */
export async function readFooter(bytes: Uint8Array, offset: number): Promise<Footer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, FOOTER);
  checkMagic(view);
  const version = view.getUint32(FOOTER - 12, true);
  if (version < 1) throw new MalformedBytes(`the format version ${version} is impossible`);
  if (version > NEWEST) throw new UnreadableFormat(`tables have the format version ${version}`);
  const type = view.getUint8(0);
  const checksum = await loadChecksum(type);
  if (checksum === undefined) throw new MalformedBytes(`the kind of checksum ${type} is impossible`);
  if (version < 6) {
    const fields = new ByteCursor(bytes.subarray(0, FOOTER - 12), 1);
    const metaindex = readHandle(fields);
    return { version, checksum, baseContext: 0, metaindex, index: readHandle(fields) };
  }
  if (view.getUint32(1, true) !== EXTENDED_MAGIC) throw new MalformedBytes("its footer is malformed");
  const stored = view.getUint32(5, true);
  const baseContext = view.getUint32(9, true);
  const size = view.getUint32(13, true);
  if (baseContext === 0) throw new MalformedBytes("the footer has no base for checksums");
  const cleared = copyBytes(bytes);
  cleared.fill(0, 5, 9);
  const sum = type === ChecksumType.None ? 0 : checksum(cleared, 0, FOOTER);
  const expected = (sum + contextModifier(baseContext, offset)) >>> 0;
  if (expected !== stored) throw new MalformedBytes("the checksum of the footer is wrong");
  if (view.getBigUint64(33, true) !== 0n) throw new UnreadableFormat("the footer has unknown fields");
  const metaindex = new BlockHandle(offset - BLOCK_TRAILER - size, size);
  if (metaindex.offset < 0) throw new MalformedBytes("the metaindex begins before the file");
  return { version, checksum, baseContext, metaindex, index: undefined };
}

/** A block handle: offset varint, size varint. */
export function readHandle(fields: ByteCursor): BlockHandle {
  const offset = fields.varint();
  return new BlockHandle(offset, fields.varint());
}

/** The maximum size of a block. Writers are configured with sizes of some KB, a few MB at most. */
const LONGEST_BLOCK = 1024 * 1024 * 1024;

/**
 * Checks that a block lies within the file.
 *
 * @throws MalformedBytes with the message `wrong`; UnsupportedFormat for a too large block
 */
export function handleWithin(handle: BlockHandle, fileSize: number, wrong: string): BlockHandle {
  if (!(handle.size >= 0 && handle.offset + handle.size + BLOCK_TRAILER <= fileSize))
    throw new MalformedBytes(wrong);
  if (handle.size > LONGEST_BLOCK) throw new UnsupportedFormat(`a block has ${handle.size} bytes`);
  return handle;
}

function checkMagic(view: DataView): void {
  const high = view.getUint32(FOOTER - 4, true);
  const low = view.getUint32(FOOTER - 8, true);
  if (high === MAGIC[0] && low === MAGIC[1]) return;
  if (high === LEGACY_MAGIC[0] && low === LEGACY_MAGIC[1])
    throw new UnsupportedFormat("tables have the format version 0");
  if (OTHER_MAGICS.includes(high)) throw new UnreadableFormat("tables are not block-based");
  throw new MalformedBytes("it does not end like a table");
}
