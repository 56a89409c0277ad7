/** Keys at the end of an entry's data, since core-1.0: the value is before them. They prove themselves by the entry's id. */
import { equalBytes } from "../../bytes/order.js";
import { isKeyedOwnedId, isOwnedInSlot, markedEntryId } from "../../digests/index.js";
import { codecOf } from "../types/codec-of.js";
import { isExact, type Type } from "../types/type.js";
import { textOf } from "../types/values.js";
import { BYTE_STRING } from "./entry-key.js";

/** A found key, and the end of the value before it. */
export interface LastKey {
  /** The key: text, or bytes. */
  readonly key: string | Uint8Array;
  /** The bytes of which the id is a hash. */
  readonly content: Uint8Array;
  /** The length of the value. */
  readonly end: number;
}

/** Bytes at the end of an owned entry's data, after its id: the length of its key. */
const LENGTH = 4;
/** The longest key without a length of its own that is tried. */
const LONGEST = 64;
/** The most keys with a length of their own that are tried. Data seldom has more than one. */
const MOST_TRIED = 32;

/** The end of an entry's data: its id, and at the ids of owned entries with keys the length of the key. */
export interface EntryTail {
  /** The data before its end. */
  readonly body: Uint8Array;
  /** The length of the key; undefined if the data does not contain it. */
  readonly keyLength: number | undefined;
}

/** Splits off the end of an entry's data; undefined if the data does not end with this entry's id. */
export function tailOf(data: Uint8Array, id: Uint8Array): EntryTail | undefined {
  const after = isKeyedOwnedId(id) ? LENGTH : 0;
  const end = data.length - after - id.length;
  if (end < 0 || !equalBytes(data.subarray(end, end + id.length), id)) return undefined;
  return { body: data.subarray(0, end), keyLength: after === 0 ? undefined : u32At(data, end + id.length) };
}

/**
 * Finds the key at the end of an entry's data. Returns two keys if the length may belong to the key or to the value:
 * the first key includes it. Returns none if no key has the entry's id.
 *
 * @param type the type of the keys; undefined if it is not known
 */
export function findLastKeys(
  collection: Uint8Array,
  id: Uint8Array,
  { body, keyLength }: EntryTail,
  type: Type | undefined,
): readonly LastKey[] {
  const content = contentOf(collection, id, body, keyLength, fixedSize(type));
  if (content === undefined) return [];
  const end = body.length - content.length;
  const bare: LastKey = { key: content, content, end };
  const hasLength = end >= LENGTH && u32At(body, end - LENGTH) === content.length;
  const prefixed: LastKey = { key: textOf(content) ?? content, content, end: end - LENGTH };
  if (type !== undefined && type !== BYTE_STRING && isExact(type)) {
    if (type.kind === "text" && textOf(content) === undefined) return [];
    const isVarying = type.kind === "text" || (type.kind === "bytes" && type.size === undefined);
    if (isVarying) return hasLength ? [type.kind === "text" ? prefixed : { ...prefixed, key: content }] : [];
    return [bare];
  }
  return hasLength ? [prefixed, bare] : [bare];
}

/** The bytes of the key, by the id of the entry. */
function contentOf(
  collection: Uint8Array,
  id: Uint8Array,
  body: Uint8Array,
  keyLength: number | undefined,
  size: number | undefined,
): Uint8Array | undefined {
  const last = (length: number): Uint8Array => body.subarray(body.length - length);
  const fits = (length: number): boolean => {
    if (length > body.length) return false;
    const slot = markedEntryId(collection, last(length));
    return equalBytes(slot, id) || isOwnedInSlot(id, slot);
  };
  const known = keyLength ?? size;
  if (known !== undefined) return fits(known) ? last(known) : undefined;
  let left = MOST_TRIED;
  for (let length = 0; left > 0 && length + LENGTH <= body.length; length++) {
    if (u32At(body, body.length - length - LENGTH) !== length) continue;
    if (fits(length)) return last(length);
    left--;
  }
  for (let length = 0; length <= LONGEST; length++) if (fits(length)) return last(length);
  return undefined;
}

/** The size of keys of a type that have no length of their own; undefined for others. */
function fixedSize(type: Type | undefined): number | undefined {
  if (type === undefined || type === BYTE_STRING || !isExact(type)) return undefined;
  const { min, max } = codecOf(type).size;
  return min === max ? max : undefined;
}

function u32At(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, LENGTH).getUint32(0, true);
}
