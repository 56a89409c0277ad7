/**
 * Internal keys: user key ‖ u64 little-endian (sequence number << 8 | type). The order is by user key ascending, then
 * by that number descending, so the newest entry of a user key comes first.
 */

import { compareBytes } from "../../bytes/order.js";
import { MalformedBytes, UnreadableFormat, UnsupportedFormat } from "./byte-cursor.js";

/** Bytes after the user key. */
export const TRAILER = 8;

/** Types of entries, as in RocksDB's `ValueType`. */
export const EntryType = {
  Deletion: 0,
  Value: 1,
  SingleDeletion: 7,
  RangeDeletion: 15,
  /** A row of several columns. */
  WideColumns: 22,
  /** A value, followed by a sequence number that a compaction may give it. */
  PreferredSequence: 24,
} as const;

/** The highest sequence number. As a bound it sorts before all entries of its user key. */
export const MAX_SEQUENCE = 2 ** 56 - 1;

/** Above the sequence numbers of any real database. A JavaScript number represents all lower ones exactly. */
const MOST_WRITES = 2 ** 52;

/** Returns the sequence number of a write. @throws MalformedBytes if it is impossible */
export function checkSequence(sequence: number): number {
  if (sequence >= MOST_WRITES) throw new MalformedBytes("a sequence number is impossible");
  return sequence;
}

/** Names of the types that only RocksDB can read. */
const OTHER_TYPES: Readonly<Record<number, string>> = {
  17: "a blob index",
};

/** Names of types that need options which the database does not store. */
const UNREADABLE_TYPES: Readonly<Record<number, string>> = {
  2: "a merge operand",
  20: "a deletion with a user-defined timestamp",
};

/**
 * A position in the order of internal keys: before all greater user keys, and before lower sequence numbers of the same
 * user key.
 */
export interface Position {
  readonly key: Uint8Array;
  readonly sequence: number;
}

/** The parts of an internal key. */
export interface InternalKey extends Position {
  readonly type: number;
}

/** Compares two positions: negative if `a` comes before `b`. */
export function comparePositions(a: Position, b: Position): number {
  return compareBytes(a.key, b.key) || b.sequence - a.sequence;
}

/** Returns the length of the user key in an internal key of a length. @throws MalformedBytes if it is too short */
export function userKeyLength(length: number, trailer = TRAILER): number {
  if (length < trailer) throw new MalformedBytes("an internal key is shorter than 8 bytes");
  return length - trailer;
}

/** Parses an internal key; `key` is a view. */
export function parseInternalKey(bytes: Uint8Array): InternalKey {
  const end = userKeyLength(bytes.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset + end, TRAILER);
  const low = view.getUint32(0, true);
  const sequence = view.getUint32(4, true) * 2 ** 24 + (low >>> 8);
  return { key: bytes.subarray(0, end), sequence, type: low & 0xff };
}

/** Throws for an entry that is neither a value nor a deletion. @throws MalformedBytes, UnsupportedFormat */
export function checkType(type: number): void {
  if (type === EntryType.Value || type === EntryType.Deletion || type === EntryType.SingleDeletion) return;
  const name = OTHER_TYPES[type];
  if (type in UNREADABLE_TYPES) throw new UnreadableFormat(`an entry is ${UNREADABLE_TYPES[type]}`);
  if (name !== undefined) throw new UnsupportedFormat(`an entry is ${name}`);
  throw new MalformedBytes(`an entry has the impossible type ${type}`);
}
