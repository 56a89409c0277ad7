/**
 * Index blocks: for each block its position, and a key that is not before its last key and before the first key of the
 * next block.
 */

import { grown } from "../../bytes/bytes.js";
import { compareRanges, orderAfter, sharedLength } from "../../bytes/order.js";
import { type BlockEnd, EntryHeader, KeyBudget, readBlockEnd, restartAt } from "./block.js";
import { ByteCursor, MalformedBytes } from "./byte-cursor.js";
import { BLOCK_TRAILER } from "./checksum.js";
import { BlockHandle, handleWithin, readHandle } from "./footer.js";
import { TRAILER, userKeyLength } from "./internal-key.js";

/** The format of an index, from the properties of its table. */
export interface IndexFormat {
  /** True if keys lack the sequence number and type. */
  readonly keyIsUserKey: boolean;
  /**
   * True if entries lack the length of their value, and entries with a shared key prefix contain only the change of
   * size.
   */
  readonly deltaEncoded: boolean;
}

/** The blocks of a table or of one partition of its index, in key order. */
export interface BlockIndex {
  readonly length: number;
  /** Returns the position of a block, the same object each time. */
  handle(at: number): BlockHandle;
  /** Returns the first block that may contain `key` or a later key; `length` if there is none. */
  find(key: Uint8Array): number;
}

/**
 * @param bytes the contents of the block
 * @param limit the offset up to which blocks may extend
 * @throws MalformedBytes, like the methods of the index
 */
export function readIndex(bytes: Uint8Array, format: IndexFormat, limit: number): BlockIndex {
  const block = { bytes, ...readBlockEnd(bytes, 0, bytes.length), format, limit };
  return isRegular(block) ? new RegularIndex(block) : new SharingIndex(block);
}

/**
 * A block in an index with its index key, which is at or after its last key and before the first key of the next block.
 */
export interface IndexEntry {
  readonly handle: BlockHandle;
  /** Without sequence number and type. */
  readonly key: Uint8Array;
}

/**
 * Reads all entries of an index block with their keys, for a table that is read once.
 *
 * @param limit the offset up to which blocks may extend
 * @throws MalformedBytes
 */
export function readIndexEntries(bytes: Uint8Array, format: IndexFormat, limit: number): IndexEntry[] {
  const block = { bytes, ...readBlockEnd(bytes, 0, bytes.length), format, limit };
  const budget = new KeyBudget(bytes.length);
  const entries: IndexEntry[] = [];
  let key = new Uint8Array(0);
  visitEntries(block, (_, start, handle) => {
    const { shared, unshared } = header;
    budget.take(shared);
    const next = new Uint8Array(shared + unshared);
    next.set(key.subarray(0, shared));
    next.set(bytes.subarray(start, start + unshared), shared);
    key = next;
    entries.push({ handle, key: key.subarray(0, userKeyLength(key.length, trailerOf(format))) });
  });
  return entries;
}

/**
 * Calls `visit` with the offset of each entry of an index, the offset of its key, and its block. During the call,
 * `header` has the numbers of the entry.
 */
function visitEntries(
  { bytes, entriesEnd, format, limit }: IndexBlock,
  visit: (at: number, keyStart: number, handle: BlockHandle) => void,
): void {
  const entries = bytes.subarray(0, entriesEnd);
  let length = 0;
  let previous: BlockHandle | undefined;
  for (let at = 0; at < entriesEnd; ) {
    const keyStart = readHeader(bytes, at, entriesEnd, length, format);
    const { shared, unshared, valueLength } = header;
    length = shared + unshared;
    userKeyLength(length, trailerOf(format));
    const fields = new ByteCursor(entries, keyStart + unshared);
    const isDelta = format.deltaEncoded && shared > 0 && previous !== undefined;
    previous = checked(isDelta ? following(previous as BlockHandle, fields) : readHandle(fields), limit);
    visit(at, keyStart, previous);
    at = format.deltaEncoded ? fields.position : keyStart + unshared + valueLength;
  }
}

interface IndexBlock extends BlockEnd {
  readonly bytes: Uint8Array;
  readonly format: IndexFormat;
  readonly limit: number;
}

const header = new EntryHeader();

/** Returns true if each entry has a restart point, which is the default. If the first entry has one, all have. */
function isRegular({ bytes, restarts, entriesEnd, format }: IndexBlock): boolean {
  if (restarts < 2) return false;
  const keyStart = readHeader(bytes, restartAt(bytes, entriesEnd, 0), entriesEnd, 0, format);
  const fields = new ByteCursor(bytes, keyStart + header.unshared);
  readHandle(fields);
  return fields.position === restartAt(bytes, entriesEnd, 1);
}

/** An index that is decoded on demand. */
class RegularIndex implements BlockIndex {
  readonly length: number;
  readonly #block: IndexBlock;
  readonly #handles: (BlockHandle | undefined)[];

  constructor(block: IndexBlock) {
    this.#block = block;
    this.length = block.restarts;
    this.#handles = new Array(block.restarts).fill(undefined);
  }

  /** The prefix that two keys share with `key` is not compared again for keys between them. */
  find(key: Uint8Array): number {
    const { bytes, format } = this.#block;
    const trailer = trailerOf(format);
    let low = 0;
    let high = this.length;
    let sharedBelow = 0;
    let sharedAbove = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = this.#keyStart(middle);
      const end = start + userKeyLength(header.unshared, trailer);
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

  handle(at: number): BlockHandle {
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

  /** Returns the offset of the key of a block and stores its length in `header`. */
  #keyStart(at: number): number {
    const { bytes, entriesEnd, format } = this.#block;
    return readHeader(bytes, restartAt(bytes, entriesEnd, at), entriesEnd, 0, format);
  }
}

/** Scratch memory for the compared key. */
let current = new Uint8Array(256);

/**
 * An index whose entries share prefixes of keys. Positions are decoded at the beginning, but keys only during a search,
 * because expanded keys may need far more bytes than the block.
 */
class SharingIndex implements BlockIndex {
  readonly length: number;
  readonly #block: IndexBlock;
  readonly #handles: BlockHandle[] = [];
  /** The offset of each entry. */
  readonly #starts: number[] = [];
  /** The first entry of each restart point. */
  readonly #firsts: number[] = [];

  constructor(block: IndexBlock) {
    this.#block = block;
    const { bytes, entriesEnd, restarts } = block;
    visitEntries(block, (at, _, handle) => {
      this.#starts.push(at);
      this.#handles.push(handle);
    });
    this.length = this.#starts.length;
    let entry = 0;
    for (let restart = 0; restart < restarts && this.length > 0; restart++) {
      const at = restartAt(bytes, entriesEnd, restart);
      while (entry < this.length && (this.#starts[entry] as number) < at) entry++;
      if (this.#starts[entry] !== at) throw new MalformedBytes("a restart point is within an entry");
      this.#firsts.push(entry);
    }
    if (this.length > 0 && this.#firsts[0] !== 0)
      throw new MalformedBytes("an index has no first restart point");
  }

  find(key: Uint8Array): number {
    let low = 0;
    let high = this.#firsts.length;
    // Finds the last restart point before the key. The entry is after it. If no restart point is before the key, the
    // search begins at the first.
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if (this.#compareFrom(this.#firsts[middle] as number, key) < 0) low = middle;
      else high = middle;
    }
    let at = this.#firsts[low] ?? 0;
    let length = 0;
    let alike = 0;
    for (; at < this.length; at++) {
      length = this.#append(at, length);
      const end = length - trailerOf(this.#block.format);
      alike = sharedLength(current, 0, end, key, Math.min(alike, header.shared, end));
      if (orderAfter(alike, current, 0, end, key) >= 0) break;
    }
    return at;
  }

  handle(at: number): BlockHandle {
    return this.#handles[at] as BlockHandle;
  }

  /** Compares the key of an entry at a restart point with `key`: negative if it comes before. */
  #compareFrom(entry: number, key: Uint8Array): number {
    const length = this.#append(entry, 0); // first, because it may replace `current`
    return compareRanges(current, 0, length - trailerOf(this.#block.format), key, 0, key.length);
  }

  /** Expands the key of an entry in `current`, which has the previous key, and returns its length. */
  #append(entry: number, previous: number): number {
    const { bytes, entriesEnd, format } = this.#block;
    const start = readHeader(bytes, this.#starts[entry] as number, entriesEnd, previous, format);
    const { shared, unshared } = header;
    const length = shared + unshared;
    if (length > current.length) current = grown(current, new Uint8Array(2 * length));
    for (let at = 0; at < unshared; at++) current[shared + at] = bytes[start + at] as number;
    return length;
  }
}

/** Reads the numbers before a key into `header` and returns the offset of the rest of the key. */
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

/** The number of bytes after the user key. */
function trailerOf({ keyIsUserKey }: IndexFormat): number {
  return keyIsUserKey ? 0 : TRAILER;
}

function checked(handle: BlockHandle, limit: number): BlockHandle {
  return handleWithin(handle, limit, "the index names a block beyond the end of the file");
}

/** Returns the block directly after another block. Its size is encoded as a zigzag difference. */
function following(previous: BlockHandle, fields: ByteCursor): BlockHandle {
  const zigzag = fields.varint();
  const difference = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  return new BlockHandle(previous.offset + previous.size + BLOCK_TRAILER, previous.size + difference);
}
