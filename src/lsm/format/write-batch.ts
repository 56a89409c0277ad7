/**
 * Write batches: the records of a write-ahead log. Sequence number u64, count u32, then so many changes. The k-th
 * change has the sequence number + k. A batch in a log is applied completely or not at all.
 */

import { ByteCursor, MalformedBytes, UnreadableFormat, UnsupportedFormat } from "./byte-cursor.js";
import { checkSequence, EntryType } from "./internal-key.js";
import { plainValue } from "./plain-value.js";

const HEADER = 12;

/**
 * Receives the changes of a batch. Key and value are ranges of `bytes`. The value of a range deletion is its end. If an
 * entry contains more than its value, the value is the range inside it.
 */
export type ChangeSink = (
  column: number,
  type: number,
  sequence: number,
  bytes: Uint8Array,
  keyStart: number,
  keyEnd: number,
  valueStart: number,
  valueEnd: number,
) => void;

/** Tags of the changes of family 0. Changes of other families have other tags and the id of the family. */
const ofDefault: Readonly<Record<number, number>> = {
  1: EntryType.Value,
  0: EntryType.Deletion,
  7: EntryType.SingleDeletion,
  15: EntryType.RangeDeletion,
  22: EntryType.WideColumns,
  24: EntryType.PreferredSequence,
};
const ofColumn: Readonly<Record<number, number>> = {
  5: EntryType.Value,
  4: EntryType.Deletion,
  8: EntryType.SingleDeletion,
  14: EntryType.RangeDeletion,
  23: EntryType.WideColumns,
  25: EntryType.PreferredSequence,
};
const LOG_DATA = 3;
const NOOP = 13;

/** Tags of changes that need options which the database does not store. */
const MERGES: readonly number[] = [2, 6];

/** Names of the tags that only RocksDB can read. */
const OTHER_TAGS: Readonly<Record<number, string>> = {
  9: "a prepared transaction",
  10: "a prepared transaction",
  11: "a prepared transaction",
  12: "a prepared transaction",
  16: "a blob index",
  17: "a blob index",
  18: "a prepared transaction",
  19: "a prepared transaction",
  21: "a prepared transaction",
};

/**
 * Reads a batch, passes its changes to `sink` in order, and returns the sequence number after the last change.
 *
 * @throws MalformedBytes, UnsupportedFormat — `sink` may have received changes before
 */
export function readBatch(bytes: Uint8Array, sink: ChangeSink): number {
  const sequence = sequenceOf(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  const count = view.getUint32(8, true);
  const fields = new ByteCursor(bytes, HEADER);
  let found = 0;
  while (!fields.done) {
    const tag = fields.byte();
    if (tag === NOOP) continue;
    if (tag === LOG_DATA) {
      fields.skipLengthPrefixed();
      continue;
    }
    const type = ofDefault[tag] ?? ofColumn[tag];
    if (type === undefined) throw otherTag(tag);
    const column = tag in ofColumn ? fields.varint() : 0;
    const keyStart = fields.skipLengthPrefixed();
    const keyEnd = fields.position;
    const hasValue = type !== EntryType.Deletion && type !== EntryType.SingleDeletion;
    const valueStart = hasValue ? fields.skipLengthPrefixed() : keyEnd;
    const valueEnd = fields.position;
    const within = plainValue(type, bytes, valueStart, valueEnd);
    if (within === undefined)
      sink(column, type, sequence + found, bytes, keyStart, keyEnd, valueStart, valueEnd);
    else sink(column, EntryType.Value, sequence + found, bytes, keyStart, keyEnd, within.start, within.end);
    found++;
  }
  if (found !== count) throw new MalformedBytes(`a batch has ${found} changes and should have ${count}`);
  return sequence + count;
}

/**
 * Returns true if {@link readBatch} reports the changes of a batch completely; false if entries contain more than their
 * values.
 */
export function isPlainBatch(bytes: Uint8Array): boolean {
  const fields = new ByteCursor(bytes, HEADER);
  while (!fields.done) {
    const tag = fields.byte();
    if (tag === NOOP) continue;
    const type = ofDefault[tag] ?? ofColumn[tag];
    if (type === EntryType.WideColumns || type === EntryType.PreferredSequence) return false;
    if (tag in ofColumn) fields.varint();
    fields.skipLengthPrefixed(); // the key, or the data of the log
    if (type === EntryType.Value || type === EntryType.RangeDeletion) fields.skipLengthPrefixed();
  }
  return true;
}

/**
 * Returns the number of changes in the header of a batch.
 *
 * @throws MalformedBytes if the batch is too short for so many
 */
export function changesOf(bytes: Uint8Array): number {
  if (bytes.length < HEADER) throw new MalformedBytes("a batch is shorter than its header");
  const count = new DataView(bytes.buffer, bytes.byteOffset, HEADER).getUint32(8, true);
  // A change has at least a tag and the length of a key.
  if (count > (bytes.length - HEADER) / 2) throw new MalformedBytes("a batch is shorter than its changes");
  return count;
}

/** Returns the sequence number of the first change of a batch. @throws MalformedBytes */
export function sequenceOf(bytes: Uint8Array): number {
  if (bytes.length < HEADER) throw new MalformedBytes("a batch is shorter than its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  return checkSequence(view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32);
}

function otherTag(tag: number): Error {
  const name = OTHER_TAGS[tag];
  if (MERGES.includes(tag)) return new UnreadableFormat("the log has a merge");
  if (name !== undefined) return new UnsupportedFormat(`the log has ${name}`);
  return new MalformedBytes(`a change has the unknown tag ${tag}`);
}
