/** Index blocks: for each block a key that is not before its last one and before the next one's first, and its place. */

import { compareBytes, compareRanges, orderAfter, sharedLength } from "../../../bytes/order.js";
import { type BlockEnd, EntryHeader, KeyBudget, readBlockEnd, restartAt } from "./block.js";
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
export abstract class BlockIndex {
  abstract readonly length: number;

  /** Negative when the key of a block comes before `key`. All entries of the block are at its key or before. */
  abstract compare(at: number, key: Uint8Array): number;

  /** Where a block is; the same object each time. */
  abstract handle(at: number): BlockHandle;

  /** The first block that may hold a key or one after it; `length` when none does. */
  find(key: Uint8Array): number {
    let low = 0;
    let high = this.length;
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
 * @throws MalformedBytes; so do the methods of the index
 */
export function readIndex(bytes: Uint8Array, format: IndexFormat, limit: number): BlockIndex {
  const block = { bytes, ...readBlockEnd(bytes, 0, bytes.length), format, limit };
  return isRegular(block) ? new RegularIndex(block) : new DecodedIndex(block);
}

interface IndexBlock extends BlockEnd {
  readonly bytes: Uint8Array;
  readonly format: IndexFormat;
  readonly limit: number;
}

const header = new EntryHeader();

/** Whether each entry has a restart point, as by default: then all have if the first one has. */
function isRegular({ bytes, restarts, entriesEnd, format }: IndexBlock): boolean {
  if (restarts < 2) return false;
  const keyStart = readHeader(bytes, restartAt(bytes, entriesEnd, 0), entriesEnd, 0, format);
  const fields = new ByteCursor(bytes, keyStart + header.unshared);
  readHandle(fields);
  return fields.position === restartAt(bytes, entriesEnd, 1);
}

/** An index that is read where it is: nothing is decoded before it is asked for. */
class RegularIndex extends BlockIndex {
  readonly length: number;
  readonly #block: IndexBlock;
  readonly #handles: (BlockHandle | undefined)[];

  constructor(block: IndexBlock) {
    super();
    this.#block = block;
    this.length = block.restarts;
    this.#handles = new Array(block.restarts).fill(undefined);
  }

  override compare(at: number, key: Uint8Array): number {
    const { bytes, format } = this.#block;
    const start = this.#keyStart(at);
    const end = start + header.unshared - (format.keyIsUserKey ? 0 : TRAILER);
    if (end < start) throw new MalformedBytes("an internal key is shorter than 8 bytes");
    return compareRanges(bytes, start, end, key, 0, key.length);
  }

  /** As for all, but of a key that lies between two others, what both share with `key` is not compared again. */
  override find(key: Uint8Array): number {
    const { bytes, format } = this.#block;
    const trailer = format.keyIsUserKey ? 0 : TRAILER;
    let low = 0;
    let high = this.length;
    let sharedBelow = 0;
    let sharedAbove = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = this.#keyStart(middle);
      const end = start + header.unshared - trailer;
      if (end < start) throw new MalformedBytes("an internal key is shorter than 8 bytes");
      const known = Math.min(sharedBelow, sharedAbove, end - start);
      const shared = sharedLength(bytes, start, end, key, known);
      if (orderAfter(shared, bytes, start, end, key) < 0) {
        low = middle + 1;
        sharedBelow = shared;
      } else {
        high = middle;
        sharedAbove = shared;
      }
    }
    return low;
  }

  override handle(at: number): BlockHandle {
    const known = this.#handles[at];
    if (known !== undefined) return known;
    const { bytes, entriesEnd, limit } = this.#block;
    const start = this.#keyStart(at);
    const fields = new ByteCursor(bytes, start + header.unshared);
    const handle = checked(readHandle(fields), limit);
    const next = at + 1 === this.length ? entriesEnd : restartAt(bytes, entriesEnd, at + 1);
    if (fields.position !== next)
      throw new MalformedBytes("the entries of an index do not follow one another");
    this.#handles[at] = handle;
    return handle;
  }

  /** Where the key of a block begins; its length is in `header` then. */
  #keyStart(at: number): number {
    const { bytes, entriesEnd, format } = this.#block;
    return readHeader(bytes, restartAt(bytes, entriesEnd, at), entriesEnd, 0, format);
  }
}

/** An index whose entries share bytes of their keys: all are decoded. */
class DecodedIndex extends BlockIndex {
  readonly #keys: Uint8Array[] = [];
  readonly #handles: BlockHandle[] = [];

  constructor({ bytes, entriesEnd, format, limit }: IndexBlock) {
    super();
    const trailer = format.keyIsUserKey ? 0 : TRAILER;
    const budget = new KeyBudget(bytes.length);
    let key: Uint8Array = new Uint8Array(0);
    for (let at = 0; at < entriesEnd; ) {
      const start = readHeader(bytes, at, entriesEnd, key.length, format);
      const end = start + header.unshared;
      const { shared, valueLength } = header;
      budget.take(shared);
      key = joined(key, shared, bytes, start, end);
      if (key.length < trailer) throw new MalformedBytes("an internal key is shorter than 8 bytes");
      const fields = new ByteCursor(bytes.subarray(0, entriesEnd), end);
      const previous = format.deltaEncoded && shared > 0 ? this.#handles.at(-1) : undefined;
      const handle = previous === undefined ? readHandle(fields) : following(previous, fields);
      this.#keys.push(key.subarray(0, key.length - trailer));
      this.#handles.push(checked(handle, limit));
      at = format.deltaEncoded ? fields.position : end + valueLength;
    }
  }

  override get length(): number {
    return this.#handles.length;
  }

  override compare(at: number, key: Uint8Array): number {
    return compareBytes(this.#keys[at] as Uint8Array, key);
  }

  override handle(at: number): BlockHandle {
    return this.#handles[at] as BlockHandle;
  }
}

/** Reads the numbers before a key into `header`; gives where the rest of the key begins. */
function readHeader(
  bytes: Uint8Array,
  at: number,
  end: number,
  previous: number,
  format: IndexFormat,
): number {
  return format.deltaEncoded
    ? header.readKey(bytes, at, end, previous)
    : header.read(bytes, at, end, previous);
}

function checked(handle: BlockHandle, limit: number): BlockHandle {
  if (handle.size >= 0 && handle.offset + handle.size + BLOCK_TRAILER <= limit) return handle;
  throw new MalformedBytes("the index names a block beyond the end of the file");
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
