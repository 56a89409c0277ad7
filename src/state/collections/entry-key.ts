/** Keys of entries. They prove themselves: the entry's id is a hash of the collection's id and the key. */
import { equalBytes } from "../../bytes/order.js";
import { Reader, ReadFailure } from "../../codec/index.js";
import { isOwnedInSlot, markedEntryId } from "../../digests/index.js";
import { codecOf } from "../types/codec-of.js";
import { isExact, type Type } from "../types/type.js";
import { keyName, textOf } from "../types/values.js";

/** The byte strings of the JavaScript SDK: text if they are UTF-8, otherwise bytes. */
export const BYTE_STRING: Type = { kind: "bytes", size: undefined };

/** A key that was found. */
export interface FoundKey {
  /** The key: text, or bytes. */
  readonly key: string | Uint8Array;
  /** The bytes of which the id is a hash. */
  readonly content: Uint8Array;
  /** Offset of the byte after it. */
  readonly end: number;
}

/** Lengths of keys without a length of their own that are tried; others up to {@link LONGEST} after them. */
const USUAL = [32, 4, 8, 16, 1, 2, 28, 20, 24, 64];
const LONGEST = 64;

/**
 * Finds the key at the beginning of an entry's data; undefined if no key has the entry's id.
 *
 * @param type the type of the keys; undefined if it is not known
 * @param whole whether the data is the key and nothing else, as in sets
 */
export function findKey(
  collection: Uint8Array,
  id: Uint8Array,
  data: Uint8Array,
  type: Type | undefined,
  whole = false,
): FoundKey | undefined {
  const fits = (content: Uint8Array, end: number): boolean => {
    if (whole && end !== data.length) return false;
    const slot = markedEntryId(collection, content);
    return equalBytes(slot, id) || isOwnedInSlot(id, slot);
  };
  if (type !== undefined && type !== BYTE_STRING && isExact(type)) {
    const read = readKey(type, data);
    return read !== undefined && fits(read.content, read.end) ? read : undefined;
  }
  const prefixed = lengthAt(data);
  if (prefixed !== undefined && fits(data.subarray(4, 4 + prefixed), 4 + prefixed)) {
    const content = data.subarray(4, 4 + prefixed);
    return { key: textOf(content) ?? content, content, end: 4 + prefixed };
  }
  const lengths = whole
    ? [data.length]
    : [...USUAL, ...Array.from({ length: LONGEST + 1 }, (_, length) => length)];
  for (const length of lengths) {
    if (length > data.length || !fits(data.subarray(0, length), length)) continue;
    const content = data.subarray(0, length);
    return { key: content, content, end: length };
  }
  return undefined;
}

function lengthAt(data: Uint8Array): number | undefined {
  if (data.length < 4) return undefined;
  const length = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  return length <= data.length - 4 ? length : undefined;
}

function readKey(type: Type, data: Uint8Array): FoundKey | undefined {
  const reader = new Reader(data);
  try {
    const value = codecOf(type).read(reader);
    const key = typeof value === "string" || value instanceof Uint8Array ? value : keyName(value);
    // Text and bytes are hashed without their length.
    const hasLength = type.kind === "text" || (type.kind === "bytes" && type.size === undefined);
    return { key, content: data.subarray(hasLength ? 4 : 0, reader.at), end: reader.at };
  } catch (error) {
    if (error instanceof ReadFailure) return undefined;
    throw error;
  }
}
