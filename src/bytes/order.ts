/** The order of keys: unsigned, byte by byte, a prefix before what continues it (RocksDB's bytewise comparator). */

import { copyBytes } from "./bytes.js";

/** Negative when `a` comes before `b`, 0 when equal, positive when after. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareRanges(a, 0, a.length, b, 0, b.length);
}

/** {@link compareBytes} of `a[aStart, aEnd)` and `b[bStart, bEnd)`, which costs no views. */
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

/** How many bytes `a[aStart, aEnd)` and `key` begin with in common, at least `known` of which are known to be so. */
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

/** The order of `a[aStart, aEnd)` and `key`, once it is known how many bytes they begin with in common. */
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

/** Whether two byte strings are equal. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** The key right after another one: no key lies between them. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

/**
 * The first byte string after all that begin with `prefix`, or undefined when there is none (empty, or all `ff`).
 * `[prefix, successor)` holds exactly the keys with that prefix.
 */
export function successor(prefix: Uint8Array): Uint8Array | undefined {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  if (end === 0) return undefined;
  const next = copyBytes(prefix.subarray(0, end));
  next[end - 1] = (next[end - 1] as number) + 1;
  return next;
}
