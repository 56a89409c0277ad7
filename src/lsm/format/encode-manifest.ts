/** Encodes version edits, the records of a MANIFEST. */

import { ByteWriter } from "./byte-writer.js";
import { type EncodedTable, internalKey } from "./encode-table.js";
import { FileTag, Tag } from "./manifest-tags.js";

/** A new table. */
export interface NewTable extends EncodedTable {
  readonly number: number;
  /** Its level; 0 if it may overlap others. */
  readonly level: number;
}

/** Returns the field of a new table. */
export function encodeNewTable(table: NewTable): Uint8Array {
  return new ByteWriter()
    .varint(Tag.NewFile4)
    .varint(table.level)
    .varint(table.number)
    .varint(table.size)
    .prefixed(internalKey(table.smallest))
    .prefixed(internalKey(table.largest))
    .varint(table.smallestSequence)
    .varint(table.largestSequence)
    .varint(FileTag.End).bytes;
}

/**
 * Returns the edit of a column family with all its tables. They have all its rows from logs before `logNumber`.
 *
 * @param tables their fields
 */
export function encodeTablesEdit(id: number, logNumber: number, tables: readonly Uint8Array[]): Uint8Array {
  const edit = new ByteWriter().varint(Tag.LogNumber).varint(logNumber);
  for (const table of tables) edit.raw(table);
  return edit.varint(Tag.Column).varint(id).bytes;
}

/** Returns the edit that drops a column family. */
export function encodeDropEdit(id: number): Uint8Array {
  return new ByteWriter().varint(Tag.ColumnDrop).varint(Tag.Column).varint(id).bytes;
}

/** Returns the first edit of a column family. */
export function encodeNewColumnEdit(id: number, name: string): Uint8Array {
  const text = (value: string) => new TextEncoder().encode(value);
  const edit = new ByteWriter().varint(Tag.Comparator).prefixed(text("leveldb.BytewiseComparator"));
  edit.varint(Tag.LogNumber).varint(0);
  if (id !== 0) edit.varint(Tag.Column).varint(id).varint(Tag.ColumnAdd).prefixed(text(name));
  return edit.bytes;
}

/**
 * Returns the edit with the next file number, the last sequence number and the highest family id.
 *
 * @param highestId the highest id of all column families, including dropped ones
 */
export function encodeNumbersEdit(
  nextFileNumber: number,
  lastSequence: number,
  highestId: number,
): Uint8Array {
  const edit = new ByteWriter().varint(Tag.NextFile).varint(nextFileNumber);
  edit.varint(Tag.LastSequence).varint(lastSequence);
  return edit.varint(Tag.MaxColumn).varint(highestId).bytes;
}
