/** Index blocks: for each block a key that is not before its last one and before the next one's first, and its place. */

import { compareBytes, compareRanges } from "../../../bytes/order.js";
import { EntryHeader, readBlockEnd } from "./block.js";
import { ByteCursor, MalformedBytes } from "./byte-cursor.js";
import { BLOCK_TRAILER } from "./checksum.js";
import { BlockHandle, readHandle } from "./footer.js";
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
  readonly handles: readonly BlockHandle[];
  /** User keys, one each block, one after another: a search touches few places in memory. */
  readonly #keys: Uint8Array;
  /** Where the key of each block begins, and where the last one ends. */
  readonly #starts: Uint32Array;

  /** @param keys one for each of the handles, ascending */
  constructor(keys: readonly Uint8Array[], handles: readonly BlockHandle[]) {
    this.handles = handles;
    this.#starts = new Uint32Array(keys.length + 1);
    for (const [at, key] of keys.entries()) this.#starts[at + 1] = (this.#starts[at] as number) + key.length;
    this.#keys = new Uint8Array(this.#starts[keys.length] as number);
    for (const [at, key] of keys.entries()) this.#keys.set(key, this.#starts[at]);
  }

  get length(): number {
    return this.handles.length;
  }

  /** Negative when the key of a block comes before `key`. All entries of the block are at its key or before. */
  compare(at: number, key: Uint8Array): number {
    const [start, end] = [this.#starts[at] as number, this.#starts[at + 1] as number];
    return compareRanges(this.#keys, start, end, key, 0, key.length);
  }

  /** The first block that may hold a key or one after it; `length` when none does. */
  find(key: Uint8Array): number {
    let low = 0;
    let high = this.handles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, key) < 0) low = middle + 1;
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
  const keys: Uint8Array[] = [];
  const handles: BlockHandle[] = [];
  let key: Uint8Array = new Uint8Array(0);
  for (let at = 0; at < end; ) {
    const rest = format.deltaEncoded
      ? header.readKey(bytes, at, end, key.length)
      : header.read(bytes, at, end, key.length);
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
  return new BlockHandle(previous.offset + previous.size + BLOCK_TRAILER, previous.size + difference);
}

function joined(key: Uint8Array, shared: number, bytes: Uint8Array, start: number, end: number): Uint8Array {
  const next = new Uint8Array(shared + end - start);
  next.set(key.subarray(0, shared));
  next.set(bytes.subarray(start, end), shared);
  return next;
}
