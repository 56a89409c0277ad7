/** What a MANIFEST says: the column families and the live table files, from its version edits. Pure. */

import { ByteCursor, MalformedBytes } from "./byte-cursor.js";
import type { LogRecord } from "./log-format.js";

/** A column family of the database. */
export interface ManifestColumn {
  readonly id: number;
  readonly name: string;
  /** Write-ahead logs with smaller numbers hold nothing of this family that is not in its tables. */
  readonly logNumber: number;
}

/** A table file that belongs to the database. */
export interface LiveFile {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** The family that it belongs to. */
  readonly column: string;
}

export interface Manifest {
  /** By id, which is the order in which they were made; `default` first. */
  readonly columns: readonly ManifestColumn[];
  /** Names of families that were there once and were dropped. */
  readonly dropped: ReadonlySet<string>;
  readonly liveFiles: readonly LiveFile[];
  /** Numbers of table files that were live and no longer are; they may still be on disk. */
  readonly deletedFiles: ReadonlySet<number>;
  /** No write-ahead log below this number is needed. */
  readonly minLogNumber: number;
}

/** Tags of the fields of a version edit, as in RocksDB's `version_edit.h`. */
const Tag = {
  Comparator: 1,
  LogNumber: 2,
  NextFile: 3,
  LastSequence: 4,
  CompactCursor: 5,
  DeletedFile: 6,
  NewFile: 7,
  PreviousLog: 9,
  MinLogToKeep: 10,
  NewFile2: 100,
  NewFile3: 102,
  NewFile4: 103,
  Column: 200,
  ColumnAdd: 201,
  ColumnDrop: 202,
  MaxColumn: 203,
  InAtomicGroup: 300,
  /** A field with this bit is length-prefixed and may be skipped. */
  SkippableBit: 1 << 13,
} as const;

/** Ends the custom fields of a `NewFile4`. */
const NO_MORE_FIELDS = 1;

interface NewFile {
  readonly number: number;
  readonly size: number;
}

interface Edit {
  column: number;
  add?: string;
  drop?: true;
  comparator?: string;
  logNumber?: number;
  minLogToKeep?: number;
  nextFile?: number;
  lastSequence?: number;
  readonly newFiles: NewFile[];
  readonly deletedFiles: number[];
  /** How many edits of its atomic group follow; undefined outside of a group. */
  remaining?: number;
}

/**
 * The state after all edits. An atomic group counts only when all of it is there.
 *
 * @throws MalformedBytes when an edit cannot be read, or the first ones are not there
 */
export function readManifest(records: readonly LogRecord[]): Manifest {
  const state = new ManifestState();
  let group: Edit[] = [];
  for (const record of records) {
    const edit = readEdit(record);
    group.push(edit);
    if (edit.remaining !== undefined && edit.remaining > 0) continue;
    for (const part of group) state.apply(part);
    group = [];
  }
  if (group.length > 0) throw new MalformedBytes("a group of version edits is not complete");
  return state.result();
}

class ManifestState {
  readonly #columns = new Map<number, { name: string; logNumber: number; files: Map<number, number> }>();
  readonly #dropped = new Set<string>();
  readonly #deleted = new Set<number>();
  #minLogToKeep = 0;
  #hasNextFile = false;
  #hasLastSequence = false;

  constructor() {
    this.#columns.set(0, { name: "default", logNumber: 0, files: new Map() });
  }

  apply(edit: Edit): void {
    if (edit.comparator !== undefined && edit.comparator !== "leveldb.BytewiseComparator") {
      throw new MalformedBytes(`a column family is ordered by ${edit.comparator}, not bytewise`);
    }
    if (edit.nextFile !== undefined) this.#hasNextFile = true;
    if (edit.lastSequence !== undefined) this.#hasLastSequence = true;
    this.#minLogToKeep = Math.max(this.#minLogToKeep, edit.minLogToKeep ?? 0);
    if (edit.add !== undefined) {
      this.#columns.set(edit.column, { name: edit.add, logNumber: 0, files: new Map() });
      this.#dropped.delete(edit.add);
    }
    const column = this.#columns.get(edit.column);
    if (column === undefined) return; // an edit of a family that was dropped before it
    if (edit.drop === true) {
      this.#columns.delete(edit.column);
      this.#dropped.add(column.name);
      for (const number of column.files.keys()) this.#deleted.add(number);
      return;
    }
    column.logNumber = Math.max(column.logNumber, edit.logNumber ?? 0);
    for (const number of edit.deletedFiles) {
      column.files.delete(number);
      this.#deleted.add(number);
    }
    for (const { number, size } of edit.newFiles) {
      column.files.set(number, size);
      this.#deleted.delete(number);
    }
  }

  result(): Manifest {
    if (!this.#hasNextFile || !this.#hasLastSequence)
      throw new MalformedBytes("its first version edits are missing");
    const columns = [...this.#columns].sort(([a], [b]) => a - b);
    const liveFiles = columns.flatMap(([, { name, files }]) =>
      Array.from(files, ([number, size]) => ({ number, size, column: name })),
    );
    return {
      columns: columns.map(([id, { name, logNumber }]) => ({ id, name, logNumber })),
      dropped: this.#dropped,
      liveFiles,
      deletedFiles: this.#deleted,
      minLogNumber: Math.max(
        this.#minLogToKeep,
        columns.reduce((least, [, { logNumber }]) => Math.min(least, logNumber), Number.MAX_SAFE_INTEGER),
      ),
    };
  }
}

function readEdit(record: LogRecord): Edit {
  const fields = new ByteCursor(record.payload);
  const edit: Edit = { column: 0, newFiles: [], deletedFiles: [] };
  while (!fields.done) readField(fields, edit);
  return edit;
}

function readField(fields: ByteCursor, edit: Edit): void {
  const tag = fields.varint();
  if (tag === Tag.Comparator) edit.comparator = text(fields.lengthPrefixed());
  else if (tag === Tag.LogNumber) edit.logNumber = fields.varint();
  else if (tag === Tag.NextFile) edit.nextFile = fields.varint();
  else if (tag === Tag.LastSequence) edit.lastSequence = fields.varint();
  else if (tag === Tag.MinLogToKeep) edit.minLogToKeep = fields.varint();
  else if (tag === Tag.Column) edit.column = fields.varint();
  else if (tag === Tag.ColumnAdd) edit.add = text(fields.lengthPrefixed());
  else if (tag === Tag.ColumnDrop) edit.drop = true;
  else if (tag === Tag.InAtomicGroup) edit.remaining = fields.varint();
  else if (tag === Tag.PreviousLog || tag === Tag.MaxColumn) fields.varint();
  else if (tag === Tag.CompactCursor) {
    fields.varint();
    fields.lengthPrefixed();
  } else if (tag === Tag.DeletedFile) {
    fields.varint();
    edit.deletedFiles.push(fields.varint());
  } else if (tag === Tag.NewFile || tag === Tag.NewFile2 || tag === Tag.NewFile3 || tag === Tag.NewFile4) {
    edit.newFiles.push(readNewFile(fields, tag));
  } else if (tag >= Tag.SkippableBit && (tag & Tag.SkippableBit) !== 0) fields.lengthPrefixed();
  else throw new MalformedBytes(`a version edit has a field ${tag} that is not known here`);
}

function readNewFile(fields: ByteCursor, tag: number): NewFile {
  fields.varint(); // level
  const number = fields.varint();
  if (tag === Tag.NewFile3) fields.varint(); // path
  const size = fields.varint();
  fields.lengthPrefixed(); // smallest key
  fields.lengthPrefixed(); // largest key
  if (tag === Tag.NewFile) return { number, size };
  fields.varint(); // smallest sequence
  fields.varint(); // largest sequence
  if (tag !== Tag.NewFile4) return { number, size };
  while (fields.varint() !== NO_MORE_FIELDS) fields.lengthPrefixed();
  return { number, size };
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBytes("a name is not UTF-8");
  }
}
