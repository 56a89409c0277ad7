/** Encoding of version edits, the records of a MANIFEST. */

import { ByteWriter } from "./byte-writer.js";
import { type EncodedTable, internalKey } from "./encode-table.js";
import { FileTag, type TableFile, Tag } from "./manifest.js";

/** A new table. */
export interface NewTable extends EncodedTable {
  readonly number: number;
  /** 0 if it may overlap others. */
  readonly level: number;
}

/**
 * Returns the edit of a column family: its new tables, those whose rows they have, and that its tables have all rows of logs before
 * `logNumber`.
 */
export function encodeColumnEdit(
  id: number,
  logNumber: number,
  tables: readonly NewTable[],
  replaced: readonly Pick<TableFile, "level" | "number">[],
): Uint8Array {
  const edit = new ByteWriter().varint(Tag.LogNumber).varint(logNumber);
  for (const { level, number } of replaced) edit.varint(Tag.DeletedFile).varint(level).varint(number);
  for (const table of tables) {
    edit.varint(Tag.NewFile4).varint(table.level).varint(table.number).varint(table.size);
    edit.prefixed(internalKey(table.smallest)).prefixed(internalKey(table.largest));
    edit.varint(table.smallestSequence).varint(table.largestSequence).varint(FileTag.End);
  }
  return edit.varint(Tag.Column).varint(id).bytes;
}

/** Returns the first edit of a column family. */
export function encodeNewColumnEdit(id: number, name: string): Uint8Array {
  const text = (value: string) => new TextEncoder().encode(value);
  const edit = new ByteWriter().varint(Tag.Comparator).prefixed(text("leveldb.BytewiseComparator"));
  edit.varint(Tag.LogNumber).varint(0);
  if (id !== 0) edit.varint(Tag.Column).varint(id).varint(Tag.ColumnAdd).prefixed(text(name));
  return edit.bytes;
}

/** Returns the edit of the numbers that are used. */
export function encodeNumbersEdit(nextFileNumber: number, lastSequence: number): Uint8Array {
  return new ByteWriter()
    .varint(Tag.NextFile)
    .varint(nextFileNumber)
    .varint(Tag.LastSequence)
    .varint(lastSequence).bytes;
}
