/**
 * Blocks: entries in key order, without the prefix that a key shares with the previous key. Entry: shared varint,
 * non-shared varint, value length varint, rest of the key, value. The entries are followed by the offsets u32 of the
 * restart points, which are entries with a whole key. Data blocks may then have a hash index. At the end is the number
 * of restart points u32, with bit 31 for the hash index.
 */

import { wordAt } from "../../bytes/bytes.js";
import { MalformedBytes } from "./byte-cursor.js";

/** Blocks above this size have no hash index; bit 31 then belongs to the number. */
const LARGEST_WITH_HASH = 64 * 1024;

/** The end of the entries of a block, where the restart offsets begin, and the number of restart points. */
export interface BlockEnd {
  readonly entriesEnd: number;
  readonly restarts: number;
}

/** Reads the end of the block in `[start, end)`. @throws MalformedBytes */
export function readBlockEnd(bytes: Uint8Array, start: number, end: number): BlockEnd {
  if (end - start < 4) throw new MalformedBytes("a block has no restart points");
  const packed = wordAt(bytes, end - 4);
  let restartsEnd = end - 4;
  let restarts = packed;
  if (packed >= 2 ** 31 && end - start <= LARGEST_WITH_HASH) {
    restarts = packed - 2 ** 31;
    if (restartsEnd - start < 2) throw new MalformedBytes("the hash index of a block is truncated");
    const buckets = (bytes[restartsEnd - 2] as number) | ((bytes[restartsEnd - 1] as number) << 8);
    restartsEnd -= 2 + buckets;
  }
  const entriesEnd = restartsEnd - 4 * restarts;
  if (entriesEnd < start) throw new MalformedBytes("a block has more restart points than bytes");
  return { entriesEnd, restarts };
}

/** Returns the offset of the entry of a restart point. @throws MalformedBytes */
export function restartAt(bytes: Uint8Array, entriesEnd: number, index: number): number {
  const at = wordAt(bytes, entriesEnd + 4 * index);
  if (at >= entriesEnd) throw new MalformedBytes("a restart point is beyond the entries");
  return at;
}

/**
 * The maximum ratio between the sizes of the full keys of a block and of the block. A key has no more bytes than the
 * entries since the last restart point, and there is one every 16 entries, or as many as the writer was configured
 * with.
 */
const MOST_EXPANSION = 64;

/** Refuses a block whose full keys need far more memory than the block. */
export class KeyBudget {
  #left: number;

  constructor(blockBytes: number) {
    this.#left = MOST_EXPANSION * blockBytes;
  }

  /** @throws MalformedBytes if the budget is used up */
  take(shared: number): void {
    this.#left -= shared;
    if (this.#left < 0)
      throw new MalformedBytes(`keys have over ${MOST_EXPANSION} times the bytes of a block`);
  }
}

/** An entry of a small block. Key and value are views; the key has its own buffer. */
export interface BlockEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Reads the entries of a block that is read once: metaindex, properties, range deletions. @throws MalformedBytes */
export function readEntries(bytes: Uint8Array): BlockEntry[] {
  const { entriesEnd: end } = readBlockEnd(bytes, 0, bytes.length);
  const entries: BlockEntry[] = [];
  const header = new EntryHeader();
  const budget = new KeyBudget(bytes.length);
  let key: Uint8Array = new Uint8Array(0);
  for (let at = 0; at < end; ) {
    const rest = header.read(bytes, at, end, key.length);
    budget.take(header.shared);
    const next = new Uint8Array(header.shared + header.unshared);
    next.set(key.subarray(0, header.shared));
    next.set(bytes.subarray(rest, rest + header.unshared), header.shared);
    key = next;
    at = rest + header.unshared + header.valueLength;
    entries.push({ key, value: bytes.subarray(at - header.valueLength, at) });
  }
  return entries;
}

/** The three numbers before the key of an entry. */
export class EntryHeader {
  shared = 0;
  unshared = 0;
  valueLength = 0;
  #at = 0;

  /**
   * Reads the numbers of the entry at `at`, and returns the offset of the rest of its key. It checks that the entry
   * ends before `end`.
   *
   * @param previous length of the previous key
   */
  read(bytes: Uint8Array, at: number, end: number, previous: number): number {
    const shared = bytes[at] as number;
    const unshared = bytes[at + 1] as number;
    const valueLength = bytes[at + 2] as number;
    let rest = at + 3;
    if ((shared | unshared | valueLength) < 0x80) {
      this.shared = shared;
      this.unshared = unshared;
      this.valueLength = valueLength;
    } else {
      this.#at = at;
      this.shared = this.#varint(bytes, end);
      this.unshared = this.#varint(bytes, end);
      this.valueLength = this.#varint(bytes, end);
      rest = this.#at;
    }
    if (this.shared > previous) throw new MalformedBytes("a key shares more bytes than the previous key has");
    if (this.unshared + this.valueLength > end - rest) throw new MalformedBytes("an entry is truncated");
    return rest;
  }

  /** {@link read} for an entry that does not have the length of its value. */
  readKey(bytes: Uint8Array, at: number, end: number, previous: number): number {
    this.#at = at;
    this.shared = this.#varint(bytes, end);
    this.unshared = this.#varint(bytes, end);
    this.valueLength = 0;
    if (this.shared > previous) throw new MalformedBytes("a key shares more bytes than the previous key has");
    if (this.unshared > end - this.#at) throw new MalformedBytes("an entry is truncated");
    return this.#at;
  }

  /** Reads a number of at most 32 bits. */
  #varint(bytes: Uint8Array, end: number): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 28 && this.#at < end; scale *= 128) {
      const byte = bytes[this.#at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new MalformedBytes("a length in a block is truncated or too long");
  }
}
