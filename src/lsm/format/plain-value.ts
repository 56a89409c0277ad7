/** Finds the value that RocksDB returns for an entry that contains more than its value. */

import { ByteCursor, MalformedBytes, UnsupportedFormat } from "./byte-cursor.js";
import { EntryType } from "./internal-key.js";

/** The version of the encoding of wide columns. */
const WIDE_COLUMNS_VERSION = 1;

/**
 * The bytes after the value in an entry with a preferred sequence number. They are that number; in a log, the time of
 * the write.
 */
const PREFERRED_SEQUENCE = 8;

/** The range of a value. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range of the value in an entry that contains more; undefined for entries of other types.
 *
 * @param bytes the entry's content is `bytes[start, end)`
 * @throws MalformedBytes, UnsupportedFormat
 */
export function plainValue(type: number, bytes: Uint8Array, start: number, end: number): Extent | undefined {
  if (type === EntryType.WideColumns) return defaultColumn(bytes, start, end);
  if (type !== EntryType.PreferredSequence) return undefined;
  if (end - start < PREFERRED_SEQUENCE)
    throw new MalformedBytes("a value has no preferred sequence number after it");
  return { start, end: end - PREFERRED_SEQUENCE };
}

/**
 * Returns the unnamed column of an entry with wide columns, which comes first, or an empty range. Format: version,
 * number of columns, name and size of each, then their values.
 */
function defaultColumn(bytes: Uint8Array, start: number, end: number): Extent {
  const fields = new ByteCursor(bytes.subarray(start, end));
  const version = fields.varint();
  if (version !== WIDE_COLUMNS_VERSION)
    throw new UnsupportedFormat(`an entry has wide columns in the version ${version}`);
  const columns = fields.varint();
  let size = 0;
  let others = 0;
  for (let at = 0; at < columns; at++) {
    const isDefault = at === 0 && fields.lengthPrefixed().length === 0;
    if (at > 0) fields.skipLengthPrefixed();
    const valueSize = fields.varint();
    if (isDefault) size = valueSize;
    else others += valueSize;
  }
  const values = start + fields.position;
  if (values + size + others !== end) throw new MalformedBytes("the wide columns of an entry are truncated");
  return { start: values, end: values + size };
}
