/** Index blocks: for each block a key that is not before its last one and before the next one's first, and its place. */

import { compareBytes } from "../../../bytes/order.js";
import { EntryHeader, KeyBudget, readBlockEnd } from "./block.js";
import { ByteCursor, MalformedBytes } from "./byte-cursor.js";
import { BLOCK_TRAILER } from "./checksum.js";
import { type BlockHandle, readHandle } from "./footer.js";
import { TRAILER } from "./internal-key.js";

/** How an index is written: properties of its table. */
export interface IndexFormat {
  /** Keys lack the sequence number and type. */
  readonly keyIsUserKey: boolean;
  /** Entries lack the length of their value, and those that share bytes of their key hold only the change of size. */
  readonly deltaEncoded: boolean;
}

/** The blocks of a table, or those of one partition of its index, in key order. */
export class BlockIndex {
  /** User keys, one each block. */
  readonly keys: readonly Uint8Array[];
  readonly handles: readonly BlockHandle[];

  constructor(keys: readonly Uint8Array[], handles: readonly BlockHandle[]) {
    this.keys = keys;
    this.handles = handles;
  }

  get length(): number {
    return this.handles.length;
  }

  /** The first block that may hold a key or one after it; `length` when none does. */
  find(key: Uint8Array): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareBytes(this.keys[middle] as Uint8Array, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * @param bytes the contents of the block
 * @param limit where the last block of the file may end
 * @throws MalformedBytes
 */
export function readIndex(bytes: Uint8Array, format: IndexFormat, limit: number): BlockIndex {
  const { entriesEnd: end } = readBlockEnd(bytes, 0, bytes.length);
  const entries = bytes.subarray(0, end);
  const trailer = format.keyIsUserKey ? 0 : TRAILER;
  const header = new EntryHeader();
  const budget = new KeyBudget(bytes.length);
  const keys: Uint8Array[] = [];
  const handles: BlockHandle[] = [];
  let key: Uint8Array = new Uint8Array(0);
  for (let at = 0; at < end; ) {
    const rest = format.deltaEncoded
      ? header.readKey(bytes, at, end, key.length)
      : header.read(bytes, at, end, key.length);
    budget.take(header.shared);
    const restEnd = rest + header.unshared;
    key =
      header.shared === 0 ? bytes.subarray(rest, restEnd) : joined(key, header.shared, bytes, rest, restEnd);
    const fields = new ByteCursor(entries, restEnd);
    const previous = format.deltaEncoded && header.shared > 0 ? handles.at(-1) : undefined;
    const handle = previous === undefined ? readHandle(fields) : following(previous, fields);
    if (!(handle.offset + handle.size + BLOCK_TRAILER <= limit) || handle.size < 0)
      throw new MalformedBytes("the index names a block beyond the end of the file");
    if (key.length < trailer) throw new MalformedBytes("an internal key is shorter than 8 bytes");
    const userKey = key.subarray(0, key.length - trailer);
    const before = keys.at(-1);
    if (before !== undefined && compareBytes(before, userKey) > 0)
      throw new MalformedBytes("the keys of an index are out of order");
    keys.push(userKey);
    handles.push(handle);
    at = format.deltaEncoded ? fields.position : restEnd + header.valueLength;
  }
  return new BlockIndex(keys, handles);
}

/** The block right after another one; its size is said as a difference, zigzag. */
function following(previous: BlockHandle, fields: ByteCursor): BlockHandle {
  const zigzag = fields.varint();
  const difference = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  return { offset: previous.offset + previous.size + BLOCK_TRAILER, size: previous.size + difference };
}

function joined(key: Uint8Array, shared: number, bytes: Uint8Array, start: number, end: number): Uint8Array {
  const next = new Uint8Array(shared + end - start);
  next.set(key.subarray(0, shared));
  next.set(bytes.subarray(start, end), shared);
  return next;
}
