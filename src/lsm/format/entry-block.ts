/** Entries in key order in flat arrays, for decoded data blocks and for the sorted write-ahead log. */

import { copyBytes, grown } from "../../bytes/bytes.js";
import { compareRanges } from "../../bytes/order.js";
import { firstNotBefore } from "../../bytes/search.js";
import { EntryHeader, readBlockEnd } from "./block.js";
import { MalformedBytes, UnsupportedFormat } from "./byte-cursor.js";
import { checkType, EntryType, TRAILER, userKeyLength } from "./internal-key.js";
import { plainValue } from "./plain-value.js";

const FIRST_CAPACITY = 64;
const FIRST_SLAB = 4 * 1024;
const LARGEST_SLAB = 256 * 1024;

/**
 * Expanded keys with long shared prefixes need far more bytes than their block: a writer may be configured with one
 * restart point for a million keys. A block whose keys exceed both limits is decoded in several parts.
 */
const PIECE_BYTES = 1024 * 1024;
const PIECE_ENTRIES = 16;

/** Blocks whose keys have more bytes than this are refused: a few bytes can represent any number of long keys. */
const MOST_KEY_BYTES = 1024 * 1024 * 1024;

/**
 * Entry `i` has the key `keys[keyStarts[i], keyEnds[i])` and the value `values[valueStarts[i], valueEnds[i])`. The
 * arrays of numbers are reused for the next block. `keys` and `values` are not, because callers receive views of them:
 * the keys of several blocks share a slab until it is full.
 */
export class EntryBlock {
  count = 0;
  /**
   * Orders blocks that have the same key with the same sequence number: the entry of the block with the higher age
   * comes first.
   */
  age = 0;
  values: Uint8Array = new Uint8Array(0);
  keys: Uint8Array = new Uint8Array(0);
  keysView = viewOf(this.keys);
  #valuesView = viewOf(this.values);
  /** The number of used bytes in `keys`. */
  keysUsed = 0;
  keyStarts = new Uint32Array(FIRST_CAPACITY);
  keyEnds = new Uint32Array(FIRST_CAPACITY);
  valueStarts = new Uint32Array(FIRST_CAPACITY);
  valueEnds = new Uint32Array(FIRST_CAPACITY);
  sequences = new Float64Array(FIRST_CAPACITY);
  types = new Uint8Array(FIRST_CAPACITY);
  /** False if an entry contains more than its value. */
  isPlain = true;
  /** 1 if the key equals that of the previous entry, which is newer. */
  repeats = new Uint8Array(FIRST_CAPACITY);

  /** Returns the first entry whose key is not before `key`; `count` if no key is. */
  find(key: Uint8Array): number {
    return firstNotBefore(this.count, (at) => this.compare(at, key) < 0);
  }

  /** Compares the key of an entry with `key`: negative if it comes before, 0 if it is equal. */
  compare(at: number, key: Uint8Array): number {
    const start = this.keyStarts[at] as number;
    return compareRanges(this.keys, start, this.keyEnds[at] as number, key, 0, key.length);
  }

  /** Grows the arrays of numbers. */
  growEntries(): void {
    const longer = 2 * this.types.length;
    this.keyStarts = grown(this.keyStarts, new Uint32Array(longer));
    this.keyEnds = grown(this.keyEnds, new Uint32Array(longer));
    this.valueStarts = grown(this.valueStarts, new Uint32Array(longer));
    this.valueEnds = grown(this.valueEnds, new Uint32Array(longer));
    this.sequences = grown(this.sequences, new Float64Array(longer));
    this.types = grown(this.types, new Uint8Array(longer));
    this.repeats = grown(this.repeats, new Uint8Array(longer));
  }

  /** Moves the keys of this block, which begin at `base`, to a new slab with room for `length` more bytes. */
  growKeys(base: number, count: number, length: number): void {
    const taken = this.keysUsed - base;
    // The slab begins small: most readers decode one block, and zeroing a large slab costs more than its keys.
    const usual = Math.min(Math.max(FIRST_SLAB, 2 * this.keys.length), LARGEST_SLAB);
    const slab = new Uint8Array(Math.max(usual, 2 * (taken + length)));
    slab.set(this.keys.subarray(base, this.keysUsed));
    for (let at = 0; at < count; at++) {
      this.keyStarts[at] = (this.keyStarts[at] as number) - base;
      this.keyEnds[at] = (this.keyEnds[at] as number) - base;
    }
    this.keys = slab;
    this.keysView = viewOf(slab);
    this.keysUsed = taken;
  }

  /** Sets the bytes of the values, which are usually the same for many blocks. */
  viewOfValues(bytes: Uint8Array): DataView {
    if (bytes !== this.values) {
      this.values = bytes;
      this.#valuesView = viewOf(bytes);
    }
    return this.#valuesView;
  }
}

const header = new EntryHeader();

/** The position after a decoded part of a data block. */
export interface Rest {
  /** The offset of its first entry. */
  readonly at: number;
  /** The previous internal key, with which the first key may share a prefix. */
  readonly key: Uint8Array;
  /** The bytes of all previous keys. */
  readonly keyBytes: number;
}

/**
 * Decodes the data block in `[start, end)`, or a part of it, into `block`, and overwrites its content.
 *
 * @param from the result of the previous part; by default decoding begins at the first entry
 * @returns the position of the rest of the data block; undefined at its end
 * @throws MalformedBytes, also for keys that are out of order; UnsupportedFormat for entries of other types
 */
export function decodeEntries(
  block: EntryBlock,
  bytes: Uint8Array,
  start: number,
  end: number,
  from?: Rest,
): Rest | undefined {
  const { entriesEnd } = readBlockEnd(bytes, start, end);
  const source = block.viewOfValues(bytes);
  let {
    keys,
    keysView: target,
    keyStarts,
    keyEnds,
    valueStarts,
    valueEnds,
    sequences,
    types,
    repeats,
  } = block;
  let base = block.keysUsed;
  let keyStart = base;
  let previous = base;
  let previousLength = 0;
  let previousSequence = 0;
  let count = 0;
  let left: Rest | undefined;
  block.count = 0;
  if (from !== undefined) {
    previousLength = from.key.length;
    if (keyStart + previousLength > keys.length) {
      block.growKeys(base, 0, previousLength);
      ({ keys, keysView: target } = block);
      base = 0;
    }
    keys.set(from.key, base);
    previous = base;
    keyStart = base + previousLength;
  }
  for (let at = from?.at ?? start; at < entriesEnd; count++) {
    if (keyStart - base >= PIECE_BYTES && count >= PIECE_ENTRIES) {
      const keyBytes = (from?.keyBytes ?? 0) + keyStart - base;
      if (keyBytes > MOST_KEY_BYTES)
        throw new UnsupportedFormat(`the keys of a block have more than ${MOST_KEY_BYTES} bytes`);
      left = { at, key: copyBytes(keys.subarray(previous, previous + previousLength)), keyBytes };
      break;
    }
    const rest = header.read(bytes, at, entriesEnd, previousLength);
    const { shared, unshared } = header;
    const length = shared + unshared;
    const keyLength = userKeyLength(length);
    if (count === types.length) {
      block.growEntries();
      ({ keyStarts, keyEnds, valueStarts, valueEnds, sequences, types, repeats } = block);
    }
    if (keyStart + length > keys.length) {
      block.keysUsed = keyStart;
      block.growKeys(base, count, length);
      ({ keys, keysView: target } = block);
      previous -= base;
      keyStart -= base;
      base = 0;
    }
    copy(target, keyStart, target, previous, shared);
    copy(target, keyStart + shared, source, rest, unshared);
    const keyEnd = keyStart + keyLength;
    const low = target.getUint32(keyEnd, true);
    const sequence = target.getUint32(keyEnd + 4, true) * 2 ** 24 + (low >>> 8);
    let type = low & 0xff;
    let valueStart = rest + unshared;
    let valueEnd = valueStart + header.valueLength;
    at = valueEnd;
    if (type !== EntryType.Value) {
      const within = plainValue(type, bytes, valueStart, valueEnd);
      if (within === undefined) checkType(type);
      else {
        block.isPlain = false;
        type = EntryType.Value;
        valueStart = within.start;
        valueEnd = within.end;
      }
    }
    let repeated = 0;
    if (count > 0) {
      // Both keys begin with the shared bytes; usually the first byte after them decides.
      const previousEnd = previous + previousLength - TRAILER;
      const same = Math.min(shared, previousEnd - previous, keyEnd - keyStart);
      const order = compareRanges(keys, previous + same, previousEnd, keys, keyStart + same, keyEnd);
      if (order === 0) repeated = 1;
      if (order > 0 || (order === 0 && sequence >= previousSequence))
        throw new MalformedBytes("the keys of a block are out of order");
    }
    keyStarts[count] = keyStart;
    keyEnds[count] = keyEnd;
    valueStarts[count] = valueStart;
    valueEnds[count] = valueEnd;
    sequences[count] = sequence;
    types[count] = type;
    repeats[count] = repeated;
    previous = keyStart;
    previousLength = length;
    previousSequence = sequence;
    keyStart += length;
  }
  if (count === 0) throw new MalformedBytes("a data block has no entries");
  block.keysUsed = keyStart;
  block.count = count;
  return left;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Copies four bytes at a time. For short keys this takes a third of the time of `set` with a view. */
function copy(target: DataView, to: number, source: DataView, from: number, length: number): void {
  let done = 0;
  for (; done + 4 <= length; done += 4) target.setInt32(to + done, source.getInt32(from + done));
  for (; done < length; done++) target.setInt8(to + done, source.getInt8(from + done));
}
