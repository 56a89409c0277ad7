/** Memory for the entries of write-ahead logs, in the order of their writes. */

import { compareRanges } from "../../../bytes/order.js";
import { UnsupportedFormat } from "../../../lsm/format/byte-cursor.js";
import { Pause } from "../../../pause.js";

/**
 * An entry begins at a multiple of four bytes: length of the key, length of the value, low and high word of sequence
 * number × 256 + type, then key and value. Its place is the number of its segment and the word in it.
 */
const HEADER_WORDS = 4;
const HEADER = 4 * HEADER_WORDS;
const WORD_BITS = 22;
/** The number of words in a whole segment. */
const SEGMENT = 1 << WORD_BITS;
const MOST_SEGMENTS = 2 ** (32 - WORD_BITS);
/** The number of words in the first segment, unless the size of the entries is known. Later segments are longer. */
const FIRST_SEGMENT = 1024;
/** The number of entries between two looks at the clock. */
const STEP = 4096;

interface Segment {
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
}

export class Arena {
  readonly #segments: (Segment | undefined)[] = [];
  /** The number of used words in the last segment. */
  #used = 0;
  #size = 0;
  readonly #firstWords: number;

  /** @param size the bytes of all entries, if known */
  constructor(size = 4 * FIRST_SEGMENT) {
    this.#firstWords = Math.max(1, size >>> 2);
  }

  /** The bytes of all entries. */
  get size(): number {
    return this.#size;
  }

  /**
   * Copies an entry. Returns its place, which is above the places of all earlier entries.
   *
   * @throws UnsupportedFormat if the arena is full, which never happens below 8 GiB
   */
  add(
    type: number,
    sequence: number,
    bytes: Uint8Array,
    keyStart: number,
    keyEnd: number,
    valueStart: number,
    valueEnd: number,
  ): number {
    const keyLength = keyEnd - keyStart;
    const valueLength = valueEnd - valueStart;
    const length = HEADER_WORDS + ((keyLength + valueLength + 3) >>> 2);
    const segment = this.#segmentFor(length);
    const word = this.#used;
    this.#used += length;
    this.#size += 4 * length;
    segment.words[word] = keyLength;
    segment.words[word + 1] = valueLength;
    segment.words[word + 2] = (sequence % 2 ** 24) * 256 + type;
    segment.words[word + 3] = sequence / 2 ** 24;
    const start = 4 * word + HEADER;
    copy(segment.bytes, start, bytes, keyStart, keyLength);
    copy(segment.bytes, start + keyLength, bytes, valueStart, valueLength);
    return (this.#segments.length - 1) * SEGMENT + word;
  }

  /**
   * Moves entries to a new arena, and frees the memory of this arena during the move.
   *
   * @param places ascending; overwritten with the new places
   */
  async moveTo(arena: Arena, places: Uint32Array): Promise<void> {
    const pause = new Pause();
    let freed = 0;
    for (const [at, place] of places.entries()) {
      if (at % STEP === 0) await pause.ifLong();
      for (; freed < place >>> WORD_BITS; freed++) this.#segments[freed] = undefined;
      places[at] = this.copyTo(arena, place);
    }
    this.#segments.length = 0;
  }

  /** Copies an entry to another arena. Returns its place there. */
  copyTo(arena: Arena, place: number): number {
    const key = this.keyStart(place);
    const value = key + this.keyLength(place);
    const end = value + this.valueLength(place);
    return arena.add(this.type(place), this.sequence(place), this.bytesOf(place), key, value, value, end);
  }

  /** The bytes that contain the key of an entry and, directly after it, the value. */
  bytesOf(place: number): Uint8Array {
    return this.#segment(place).bytes;
  }

  /** The offset of the key in {@link bytesOf}. */
  keyStart(place: number): number {
    return 4 * (place & (SEGMENT - 1)) + HEADER;
  }

  keyLength(place: number): number {
    return this.#word(place, 0);
  }

  valueLength(place: number): number {
    return this.#word(place, 1);
  }

  sequence(place: number): number {
    return this.#word(place, 3) * 2 ** 24 + (this.#word(place, 2) >>> 8);
  }

  type(place: number): number {
    return this.#word(place, 2) & 0xff;
  }

  /** Compares the key of an entry with `bytes[start, end)`. */
  compareKey(place: number, bytes: Uint8Array, start: number, end: number): number {
    const key = this.keyStart(place);
    return compareRanges(this.bytesOf(place), key, key + this.keyLength(place), bytes, start, end);
  }

  /** Compares the keys of two entries. */
  compare(a: number, b: number): number {
    const start = this.keyStart(b);
    return this.compareKey(a, this.bytesOf(b), start, start + this.keyLength(b));
  }

  #segment(place: number): Segment {
    return this.#segments[place >>> WORD_BITS] as Segment;
  }

  #word(place: number, field: number): number {
    return this.#segment(place).words[(place & (SEGMENT - 1)) + field] as number;
  }

  #segmentFor(length: number): Segment {
    const count = this.#segments.length;
    const last = this.#segments[count - 1];
    if (last !== undefined && this.#used + length <= last.words.length) return last;
    if (count === MOST_SEGMENTS) throw new UnsupportedFormat("the write-ahead logs do not fit in memory");
    const words = Math.max(length, Math.min(SEGMENT, this.#firstWords * 4 ** count));
    const buffer = new ArrayBuffer(4 * words);
    const segment = { words: new Uint32Array(buffer), bytes: new Uint8Array(buffer) };
    this.#segments.push(segment);
    this.#used = 0;
    return segment;
  }
}

/** From this length on, `set` with a view is faster than a loop. */
const LONG = 64;

function copy(to: Uint8Array, at: number, from: Uint8Array, start: number, length: number): void {
  if (length >= LONG) to.set(from.subarray(start, start + length), at);
  else for (let byte = 0; byte < length; byte++) to[at + byte] = from[start + byte] as number;
}
