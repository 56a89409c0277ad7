/** The keys that a reading of entries means: from one on, before another. */
import { compareBytes, keyAfter, successor } from "merostore/internal";
import { type EntryKey, keyBytes } from "./key.js";
import type { EntryScanOptions } from "./scan-options.js";

/** Keys from `from` on, before `to`. */
export interface KeyRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array | undefined;
}

/** Returns the keys with a prefix that are within all bounds. */
export function keyRange(
  prefix: Uint8Array,
  { gt, gte, lt, lte, after, reverse = false }: EntryScanOptions = {},
): KeyRange {
  const starts = [prefix, ...given(gte), ...next(gt)];
  const ends = [...given(lt), ...next(lte)];
  const end = successor(prefix);
  if (end !== undefined) ends.push(end);
  if (reverse) ends.push(...given(after));
  else starts.push(...next(after));
  return { from: starts.sort(compareBytes).at(-1) as Uint8Array, to: ends.sort(compareBytes)[0] };
}

/** Returns whether a range has a key. */
export function isInRange({ from, to }: KeyRange, key: Uint8Array): boolean {
  return compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0);
}

function given(key: EntryKey | undefined): Uint8Array[] {
  return key === undefined ? [] : [keyBytes(key)];
}

function next(key: EntryKey | undefined): Uint8Array[] {
  return given(key).map((bytes) => keyAfter(bytes));
}
