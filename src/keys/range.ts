/** Ranges of keys of one class. */
import { successor } from "../bytes/order.js";
import type { AnyKeyClass } from "./key-parts.js";

/** The keys of class `key` in `[from, to)` of its column family; an absent bound is none. */
export interface KeyRange<C extends AnyKeyClass> {
  readonly key: C;
  readonly column: string;
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
}

/** The range of the keys that begin with `prefix`. */
export function rangeOf<C extends AnyKeyClass>(key: C, prefix: Uint8Array): KeyRange<C> {
  return { key, column: key.COLUMN, from: prefix.length === 0 ? undefined : prefix, to: successor(prefix) };
}
