/** The order of keys: unsigned, byte by byte, a prefix before its extensions (RocksDB's bytewise comparator). */

import { copyBytes } from "./bytes.js";

/** The first key of all. */
export const FIRST_KEY: Uint8Array = new Uint8Array(0);

/** Returns a negative number when `a` comes before `b`, 0 when they are equal, a positive number otherwise. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareRanges(a, 0, a.length, b, 0, b.length);
}

/** {@link compareBytes} of `a[aStart, aEnd)` and `b[bStart, bEnd)`, without creating views. */
export function compareRanges(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let at = 0; at < shared; at++) {
    const difference = (a[aStart + at] as number) - (b[bStart + at] as number);
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** The length of the common prefix of `a[aStart, aEnd)` and `key`. The caller knows that it is at least `known`. */
export function sharedLength(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  key: Uint8Array,
  known: number,
): number {
  const most = Math.min(aEnd - aStart, key.length);
  let shared = known;
  while (shared < most && a[aStart + shared] === key[shared]) shared++;
  return shared;
}

/** Compares `a[aStart, aEnd)` and `key`, whose common prefix has `shared` bytes. */
export function orderAfter(
  shared: number,
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  key: Uint8Array,
): number {
  if (shared === aEnd - aStart || shared === key.length) return aEnd - aStart - key.length;
  return (a[aStart + shared] as number) - (key[shared] as number);
}

/** Returns whether two byte strings are equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Orders two numbers; an absent one is 0. */
export function compareBigints(a = 0n, b = 0n): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the key directly after `key`: no other key lies between them. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/**
 * Returns the first key after all keys that begin with `prefix`, or undefined if no key follows (`prefix` is empty, or
 * all `ff`). `[prefix, successor)` holds exactly the keys with that prefix.
 */
export function successor(prefix: Uint8Array): Uint8Array | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return undefined;
  const next = copyBytes(prefix.subarray(0, end));
  next[end - 1] = (next[end - 1] as number) + 1;
  return next;
}
