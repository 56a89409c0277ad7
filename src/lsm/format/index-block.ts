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
import { TRAILER } from "./internal-key.js";

/** The format of an index, from the properties of its table. */
export interface IndexFormat {
  /** Keys lack the sequence number and type. */
  readonly keyIsUserKey: boolean;
  /**
   * Entries lack the length of their value, and those that share a prefix of their key only contain the change of size.
   */
  readonly deltaEncoded: boolean;
}

/** The blocks of a table, or those of one partition of its index, in key order. */
export interface BlockIndex {
  readonly length: number;
  /** Returns the position of a block, the same object each time. */
  handle(at: number): BlockHandle;
  /** Returns the first block that may contain `key` or a later key; `length` if no key is. */
  find(key: Uint8Array): number;
}

/**
 * @param bytes the contents of the block
 * @param limit the offset up to which blocks may extend
 * @throws MalformedBytes; so do the methods of the index
 */
export function readIndex(bytes: Uint8Array, format: IndexFormat, limit: number): BlockIndex {
  const block = { bytes, ...readBlockEnd(bytes, 0, bytes.length), format, limit };
  return isRegular(block) ? new RegularIndex(block) : new SharingIndex(block);
}

/** A block in an index, and the key there: at or after its last key, and before the first key of the next block. */
export interface IndexEntry {
  readonly handle: BlockHandle;
  /** Without sequence number and type. */
  readonly key: Uint8Array;
}

/**
 * All entries of an index block with their keys, for a table that is read once.
 *
 * @param limit the offset up to which blocks may extend
 * @throws MalformedBytes
 */
export function readIndexEntries(bytes: Uint8Array, format: IndexFormat, limit: number): IndexEntry[] {
  const { entriesEnd } = readBlockEnd(bytes, 0, bytes.length);
  const within = bytes.subarray(0, entriesEnd);
  const budget = new KeyBudget(bytes.length);
  const trailer = format.keyIsUserKey ? 0 : TRAILER;
  const entries: IndexEntry[] = [];
  let key = new Uint8Array(0);
  for (let at = 0; at < entriesEnd; ) {
    const start = readHeader(bytes, at, entriesEnd, key.length, format);
    const { shared, unshared, valueLength } = header;
    budget.take(shared);
    const next = new Uint8Array(shared + unshared);
    next.set(key.subarray(0, shared));
    next.set(bytes.subarray(start, start + unshared), shared);
    key = next;
    if (key.length < trailer) throw new MalformedBytes("an internal key is shorter than 8 bytes");
    const fields = new ByteCursor(within, start + unshared);
    const previous = format.deltaEncoded && shared > 0 ? entries.at(-1)?.handle : undefined;
    const handle = previous === undefined ? readHandle(fields) : following(previous, fields);
    entries.push({ handle: checked(handle, limit), key: key.subarray(0, key.length - trailer) });
    at = format.deltaEncoded ? fields.position : start + unshared + valueLength;
  }
  return entries;
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

/** Scratch memory for the key that is compared. */
let current = new Uint8Array(256);

/**
 * An index whose entries share prefixes of keys. Positions are decoded at once, keys only during a search, because
 * expanded keys may have far more bytes than the block.
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
    const { bytes, entriesEnd, restarts, format, limit } = block;
    const entries = bytes.subarray(0, entriesEnd);
    const trailer = format.keyIsUserKey ? 0 : TRAILER;
    let length = 0;
    for (let at = 0; at < entriesEnd; ) {
      this.#starts.push(at);
      const end = readHeader(bytes, at, entriesEnd, length, format) + header.unshared;
      const { shared, unshared, valueLength } = header;
      length = shared + unshared;
      if (length < trailer) throw new MalformedBytes("an internal key is shorter than 8 bytes");
      const fields = new ByteCursor(entries, end);
      const previous = format.deltaEncoded && shared > 0 ? this.#handles.at(-1) : undefined;
      const handle = previous === undefined ? readHandle(fields) : following(previous, fields);
      this.#handles.push(checked(handle, limit));
      at = format.deltaEncoded ? fields.position : end + valueLength;
    }
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
    // The last restart point before the key: the entry is after it, or its own if no restart point is before.
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
      const end = length - this.#trailer;
      alike = sharedLength(current, 0, end, key, Math.min(alike, header.shared, end));
      if (orderAfter(alike, current, 0, end, key) >= 0) break;
    }
    return at;
  }

  handle(at: number): BlockHandle {
    return this.#handles[at] as BlockHandle;
  }

  get #trailer(): number {
    return this.#block.format.keyIsUserKey ? 0 : TRAILER;
  }

  /** Negative when the key of an entry at a restart point comes before `key`. */
  #compareFrom(entry: number, key: Uint8Array): number {
    const length = this.#append(entry, 0); // first, because it may replace `current`
    return compareRanges(current, 0, length - this.#trailer, key, 0, key.length);
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

function checked(handle: BlockHandle, limit: number): BlockHandle {
  return handleWithin(handle, limit, "the index names a block beyond the end of the file");
}

/** Returns the block directly after another one. Its size is encoded as a zigzag difference. */
function following(previous: BlockHandle, fields: ByteCursor): BlockHandle {
  const zigzag = fields.varint();
  const difference = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  return new BlockHandle(previous.offset + previous.size + BLOCK_TRAILER, previous.size + difference);
}
