/**
 * Sorts entries by their keys. Keys of a database share long prefixes, and a comparison of two keys waits for memory
 * twice. So entries are distributed by the first byte in which their keys differ, until the parts are small. A small
 * part is sorted by its next four bytes as numbers.
 */

import { Pause } from "../../../pause.js";
import type { Arena } from "./arena.js";

/** The most entries in a small part, which takes about 10 ms to sort. */
const FEW = 32_768;
/** The most entries that are compared with each other directly. */
const VERY_FEW = 8;
/** The number of entries between two looks at the clock. */
const STEP = 16_384;
/** The number of ranges between two looks at the clock. */
const TURNS = 4;

interface Range {
  readonly from: number;
  readonly to: number;
  /** The number of bytes that the keys have in common. */
  readonly shared: number;
}

/** Marks an overridden entry. No entry has this place. */
const OVERRIDDEN = 0xffff_ffff;

/**
 * Sorts the places of entries by key. Of each key, it keeps only the highest place.
 *
 * @param places overwritten; the first ones are the result
 * @returns the number of places that are left
 */
export async function sortEntries(arena: Arena, places: Uint32Array): Promise<number> {
  const pause = new Pause();
  const other = new Uint32Array(places.length > FEW ? places.length : 0);
  const ranges: Range[] = [{ from: 0, to: places.length, shared: 0 }];
  let turns = 0;
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    if (range.to - range.from <= FEW) ranges.push(...sortFew(arena, places, range));
    else if (!(await isSorted(arena, places, range, pause)))
      ranges.push(...(await distribute(arena, places, other, range, pause)));
    if (++turns % TURNS === 0) await pause.ifLong();
  }
  let count = 0;
  for (const place of places) if (place !== OVERRIDDEN) places[count++] = place;
  return count;
}

/** Returns true if the keys are already in order and distinct, as operations and copied rows often are. */
async function isSorted(
  arena: Arena,
  places: Uint32Array,
  { from, to }: Range,
  pause: Pause,
): Promise<boolean> {
  for (let at = from; at < to; at += STEP) {
    if (!areSorted(arena, places, at, Math.min(to, at + STEP + 1))) return false;
    await pause.ifLong();
  }
  return true;
}

function areSorted(arena: Arena, places: Uint32Array, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++)
    if (arena.compare(places[at - 1] as number, places[at] as number) >= 0) return false;
  return true;
}

/** Distributes entries by their first differing byte. Returns the ranges that are not sorted yet. */
async function distribute(
  arena: Arena,
  places: Uint32Array,
  other: Uint32Array,
  { from, to, shared }: Range,
  pause: Pause,
): Promise<Range[]> {
  let common = Number.POSITIVE_INFINITY;
  for (let at = from; at < to && common > shared; at += STEP) {
    common = sharedBytes(arena, places, at, Math.min(to, at + STEP), shared, places[from] as number, common);
    await pause.ifLong();
  }
  // Element 0 counts keys that end there, and element b + 1 counts keys with byte b.
  const ends = new Uint32Array(257);
  const kinds = new Uint16Array(to - from);
  for (let at = from; at < to; at++) {
    const kind = byteAt(arena, places[at] as number, common);
    kinds[at - from] = kind;
    ends[kind] = (ends[kind] as number) + 1;
    if (at % STEP === 0) await pause.ifLong();
  }
  const starts = new Uint32Array(257);
  let sum = from;
  for (let kind = 0; kind < 257; kind++) {
    starts[kind] = sum;
    sum += ends[kind] as number;
    ends[kind] = starts[kind] as number;
  }
  for (let at = from; at < to; at++) {
    const kind = kinds[at - from] as number;
    other[ends[kind] as number] = places[at] as number;
    ends[kind] = (ends[kind] as number) + 1;
    if (at % STEP === 0) await pause.ifLong();
  }
  places.set(other.subarray(from, to), from);
  keepNewest(places, starts[0] as number, ends[0] as number);
  const ranges: Range[] = [];
  for (let kind = 1; kind < 257; kind++) {
    const range = { from: starts[kind] as number, to: ends[kind] as number, shared: common + 1 };
    if (range.to - range.from > 1) ranges.push(range);
  }
  return ranges;
}

/** Memory for the numbers by which a small part is sorted. */
const numbers = new Float64Array(FEW);
const sorted = new Uint32Array(FEW);

/** Sorts a small part. Returns the ranges of entries with equal numbers. */
function sortFew(arena: Arena, places: Uint32Array, { from, to, shared }: Range): Range[] {
  const count = to - from;
  if (count <= VERY_FEW) {
    sortVeryFew(arena, places, from, to);
    return [];
  }
  if (areSorted(arena, places, from, to)) return [];
  const first = places[from] as number;
  const common = sharedBytes(arena, places, from, to, shared, first, Number.POSITIVE_INFINITY);
  if (common === arena.keyLength(first) && allOfLength(arena, places, from, to, common)) {
    keepNewest(places, from, to);
    return [];
  }
  for (let at = 0; at < count; at++)
    numbers[at] = fourBytesAt(arena, places[from + at] as number, common) * FEW + at;
  numbers.subarray(0, count).sort();
  for (let at = 0; at < count; at++) sorted[at] = places[from + ((numbers[at] as number) % FEW)] as number;
  places.set(sorted.subarray(0, count), from);
  const left: Range[] = [];
  for (let start = 0, at = 1; at <= count; at++) {
    if (at < count && isSameGroup(at - 1, at)) continue;
    if (at - start > 1) {
      const group = { from: from + start, to: from + at, shared: common + 4 };
      if (areAtLeast(arena, places, group)) left.push(group);
      else sortByComparing(arena, places, group.from, group.to);
    }
    start = at;
  }
  return left;
}

function isSameGroup(a: number, b: number): boolean {
  return Math.floor((numbers[a] as number) / FEW) === Math.floor((numbers[b] as number) / FEW);
}

/** Returns true if all keys have the shared bytes. Numbers do not distinguish zeros from the end of a key. */
function areAtLeast(arena: Arena, places: Uint32Array, { from, to, shared }: Range): boolean {
  for (let at = from; at < to; at++) if (arena.keyLength(places[at] as number) < shared) return false;
  return true;
}

function sortByComparing(arena: Arena, places: Uint32Array, from: number, to: number): void {
  places.subarray(from, to).sort((a, b) => arena.compare(a, b) || b - a);
  dropOverridden(arena, places, from, to);
}

function sortVeryFew(arena: Arena, places: Uint32Array, from: number, to: number): void {
  for (let next = from + 1; next < to; next++) {
    const place = places[next] as number;
    let at = next;
    for (; at > from; at--) {
      const before = places[at - 1] as number;
      const order = arena.compare(before, place);
      if (order < 0 || (order === 0 && before > place)) break;
      places[at] = before;
    }
    places[at] = place;
  }
  dropOverridden(arena, places, from, to);
}

/** Drops all except the newest entry of each key. The entries are sorted by key, then from new to old. */
function dropOverridden(arena: Arena, places: Uint32Array, from: number, to: number): void {
  let newest = places[from] as number;
  for (let at = from + 1; at < to; at++) {
    const place = places[at] as number;
    if (arena.compare(newest, place) === 0) places[at] = OVERRIDDEN;
    else newest = place;
  }
}

/** Drops all except the newest of entries with the same key. */
function keepNewest(places: Uint32Array, from: number, to: number): void {
  if (to - from < 2) return;
  let newest = 0;
  for (let at = from; at < to; at++) newest = Math.max(newest, places[at] as number);
  places.fill(OVERRIDDEN, from, to);
  places[from] = newest;
}

function allOfLength(arena: Arena, places: Uint32Array, from: number, to: number, length: number): boolean {
  for (let at = from; at < to; at++) if (arena.keyLength(places[at] as number) !== length) return false;
  return true;
}

/**
 * Returns the number of bytes that the keys have in common with the key of `first`: at least `known`, at most `most`.
 */
function sharedBytes(
  arena: Arena,
  places: Uint32Array,
  from: number,
  to: number,
  known: number,
  first: number,
  most: number,
): number {
  const bytes = arena.bytesOf(first);
  const start = arena.keyStart(first);
  let common = Math.min(most, arena.keyLength(first));
  for (let at = from; at < to && common > known; at++) {
    const place = places[at] as number;
    const others = arena.bytesOf(place);
    const other = arena.keyStart(place);
    common = Math.min(common, arena.keyLength(place));
    for (let byte = known; byte < common; byte++) {
      if (bytes[start + byte] !== others[other + byte]) common = byte;
    }
  }
  return common;
}

/** The byte of a key at an index, plus 1; 0 at its end. */
function byteAt(arena: Arena, place: number, index: number): number {
  if (index >= arena.keyLength(place)) return 0;
  return (arena.bytesOf(place)[arena.keyStart(place) + index] as number) + 1;
}

/** Four bytes of a key from an index, big-endian. Zeros stand for bytes after its end. */
function fourBytesAt(arena: Arena, place: number, index: number): number {
  const bytes = arena.bytesOf(place);
  const start = arena.keyStart(place);
  const end = start + arena.keyLength(place);
  let number = 0;
  for (let at = start + index; at < start + index + 4; at++)
    number = number * 256 + (at < end ? (bytes[at] as number) : 0);
  return number;
}
