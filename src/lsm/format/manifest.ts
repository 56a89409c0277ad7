/** Parses a MANIFEST: its version edits give the column families and the live table files. */

import { NumberMap } from "../../bytes/number-map.js";
import { ByteCursor, MalformedBytes, UnreadableFormat, UnsupportedFormat } from "./byte-cursor.js";
import { checkSequence, type InternalKey, parseInternalKey } from "./internal-key.js";
import type { LogRecord } from "./log-records.js";
import { FileTag, Tag } from "./manifest-tags.js";

/** A column family of the database. */
export interface ManifestColumn {
  readonly id: number;
  readonly name: string;
  /** The tables contain all rows of this family from write-ahead logs with smaller numbers. */
  readonly logNumber: number;
}

/** A table file that belongs to the database. */
export interface LiveFile extends TableFile {
  /** The name of its column family. */
  readonly column: string;
}

/** The description of a table file in a version edit. */
export interface TableFile {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** The level. Files of level 0 may overlap; files of a deeper level do not. */
  readonly level: number;
  /** The first and the last entry. Entries outside this range do not count. */
  readonly smallest: InternalKey;
  readonly largest: InternalKey;
  /** The highest sequence number in the file; undefined in edits of the oldest kind. */
  readonly largestSequence: number | undefined;
  /** The lowest sequence number in the file; undefined in edits of the oldest kind. */
  readonly smallestSequence: number | undefined;
  /** The 16 bytes that identify the table; undefined in older edits, and if the writer did not know them. */
  readonly uniqueId?: Uint8Array | undefined;
  /** The whole field of the version edit, as a view of the MANIFEST. Only RocksDB uses its other parts. */
  readonly encoded: Uint8Array;
}

/** A set of numbers. */
export type Numbers = Pick<ReadonlySet<number>, "has">;

/** The most column families of a database. A node has fewer than 30. */
export const MOST_FAMILIES = 4096;

/** Above the file numbers of any real database. */
export const MOST_NUMBER = 2 ** 48;

export interface Manifest {
  /** Sorted by id, which is the order of creation; `default` first. */
  readonly columns: readonly ManifestColumn[];
  /** Dropped families: their ids by name. */
  readonly dropped: ReadonlyMap<string, number>;
  readonly liveFiles: readonly LiveFile[];
  /** The numbers of table files that are no longer live. They may still be on disk. */
  readonly deletedFiles: Numbers;
  /** No write-ahead log below this number is needed. */
  readonly minLogNumber: number;
  /** Files that were begun before the last edit have smaller numbers. */
  readonly nextFileNumber: number;
  /** The sequence number of the last write before the last edit. */
  readonly lastSequence: number;
  /** The highest id of all column families in it, including dropped ones. */
  readonly highestId: number;
  /** The field with the id of the database; undefined if only the file IDENTITY has the id. */
  readonly databaseId: Uint8Array | undefined;
  /** True if the MANIFEST itself lists write-ahead logs, with the option track_and_verify_wals_in_manifest. */
  readonly tracksLogs: boolean;
  /** Unsupported features of the database. */
  readonly unsupported: readonly UnsupportedFormat[];
}

const SEVERAL_FOLDERS = "table files are in several folders";

interface Edit {
  column: number;
  highestId?: number;
  add?: string;
  drop?: true;
  comparator?: string;
  logNumber?: number;
  minLogToKeep?: number;
  nextFile?: number;
  lastSequence?: number;
  databaseId?: Uint8Array;
  trackedLog?: number;
  /** Logs below this number are no longer tracked. */
  trackedFrom?: number;
  readonly newFiles: TableFile[];
  readonly deletedFiles: number[];
  readonly unsupported: UnsupportedFormat[];
  /** The number of edits of its atomic group that follow; undefined outside of a group. */
  remaining?: number;
}

/**
 * Returns the state after all edits. An atomic group only counts if it is complete.
 *
 * @param isTorn true if the beginning of one more record follows, so the last group may lack its end
 * @throws MalformedBytes if an edit cannot be read, or the first edits are missing
 */
export function readManifest(records: readonly LogRecord[], isTorn = false): Manifest {
  const state = new ManifestState();
  let group: Edit[] = [];
  for (const record of records) {
    const edit = readEdit(record);
    group.push(edit);
    if (edit.remaining !== undefined && edit.remaining > 0) continue;
    for (const part of group) state.apply(part);
    group = [];
  }
  if (group.length > 0 && !isTorn) throw new MalformedBytes("a group of version edits is not complete");
  return state.result();
}

/** The readable edits of a damaged MANIFEST. */
export interface PartOfManifest
  extends Omit<Manifest, "lastSequence" | "minLogNumber" | "nextFileNumber" | "highestId" | "databaseId"> {
  /** Ids of the families that an edit dropped. */
  readonly droppedIds: Numbers;
}

/**
 * {@link readManifest} for a damaged MANIFEST: applies each readable edit. An atomic group counts only if it is
 * complete.
 *
 * @param records undefined for damaged bytes, which may have been several records
 */
export function readPartOfManifest(records: readonly (LogRecord | undefined)[]): PartOfManifest {
  const state = new ManifestState();
  let group: Edit[] = [];
  /** True if the last damage may have contained the beginning of the next group. */
  let mayLackStart = false;
  for (const record of records) {
    const edit = record && editIn(record);
    if (edit === undefined) {
      group = [];
      mayLackStart = true;
      continue;
    }
    const { remaining } = edit;
    const before = group.at(-1)?.remaining;
    if (before !== undefined && before - 1 !== remaining) {
      group = [];
      mayLackStart = true;
    }
    if (group.length === 0 && mayLackStart && remaining !== undefined) {
      mayLackStart = remaining > 0;
      continue;
    }
    mayLackStart = false;
    group.push(edit);
    if (remaining !== undefined && remaining > 0) continue;
    for (const part of group) state.apply(part);
    group = [];
  }
  return state.part();
}

/** An edit; undefined if it cannot be read. */
function editIn(record: LogRecord): Edit | undefined {
  try {
    return readEdit(record);
  } catch (error) {
    if (error instanceof MalformedBytes) return undefined;
    throw error;
  }
}

class ManifestState {
  readonly #columns = new Map<number, { name: string; logNumber: number; files: NumberMap<TableFile> }>();
  readonly #dropped = new Map<string, number>();
  readonly #droppedIds = new NumberMap<true>();
  readonly #deleted = new NumberMap<true>();
  /** The newest log in the list, or -1. Older logs leave the list first. */
  #trackedLog = -1;
  readonly #unsupported: UnsupportedFormat[] = [];
  #minLogToKeep = 0;
  #nextFile: number | undefined;
  #lastSequence: number | undefined;
  #highestId = 0;
  #databaseId: Uint8Array | undefined;

  constructor() {
    this.#columns.set(0, { name: "default", logNumber: 0, files: new NumberMap() });
  }

  apply(edit: Edit): void {
    if (edit.comparator !== undefined && edit.comparator !== "leveldb.BytewiseComparator") {
      const order = `a column family is ordered by ${edit.comparator}, not bytewise`;
      this.#unsupported.push(new UnreadableFormat(order));
    }
    for (const reason of edit.unsupported) this.#unsupported.push(reason);
    if (edit.nextFile !== undefined) this.#nextFile = Math.max(this.#nextFile ?? 0, edit.nextFile);
    if (edit.lastSequence !== undefined)
      this.#lastSequence = Math.max(this.#lastSequence ?? 0, edit.lastSequence);
    this.#minLogToKeep = Math.max(this.#minLogToKeep, edit.minLogToKeep ?? 0);
    this.#highestId = Math.max(this.#highestId, edit.column, edit.highestId ?? 0);
    this.#databaseId = edit.databaseId ?? this.#databaseId;
    if (edit.trackedLog !== undefined) this.#trackedLog = Math.max(this.#trackedLog, edit.trackedLog);
    if (this.#trackedLog < (edit.trackedFrom ?? 0)) this.#trackedLog = -1;
    if (edit.add !== undefined && this.#columns.size >= MOST_FAMILIES)
      this.#unsupported.push(new UnreadableFormat(`it has more than ${MOST_FAMILIES} column families`));
    else if (edit.add !== undefined) {
      this.#columns.set(edit.column, { name: edit.add, logNumber: 0, files: new NumberMap() });
      this.#dropped.delete(edit.add);
    }
    const column = this.#columns.get(edit.column);
    if (edit.drop === true) this.#droppedIds.set(edit.column, true);
    if (column === undefined) {
      // The family was dropped before, or its addition was lost.
      for (const number of edit.deletedFiles) this.#deleted.set(number, true);
      for (const { number } of edit.newFiles) this.#deleted.delete(number);
      return;
    }
    if (edit.drop === true) {
      this.#columns.delete(edit.column);
      this.#dropped.set(column.name, edit.column);
      for (const [number] of column.files) this.#deleted.set(number, true);
      return;
    }
    column.logNumber = Math.max(column.logNumber, edit.logNumber ?? 0);
    for (const number of edit.deletedFiles) {
      column.files.delete(number);
      this.#deleted.set(number, true);
    }
    for (const file of edit.newFiles) {
      column.files.set(file.number, file);
      this.#deleted.delete(file.number);
    }
  }

  result(): Manifest {
    if (this.#nextFile === undefined || this.#lastSequence === undefined)
      throw new MalformedBytes("its first version edits are missing");
    const part = this.part();
    return {
      ...part,
      minLogNumber: Math.max(
        this.#minLogToKeep,
        part.columns.reduce((least, { logNumber }) => Math.min(least, logNumber), Number.MAX_SAFE_INTEGER),
      ),
      nextFileNumber: this.#nextFile,
      lastSequence: this.#lastSequence,
      highestId: this.#highestId,
      databaseId: this.#databaseId,
    };
  }

  /** The state without the facts that need a whole MANIFEST. */
  part() {
    const columns = [...this.#columns].sort(([a], [b]) => a - b);
    const liveFiles = columns.flatMap(([, { name, files }]) =>
      Array.from(files, ([, file]) => ({ ...file, column: name })),
    );
    return {
      columns: columns.map(([id, { name, logNumber }]) => ({ id, name, logNumber })),
      dropped: this.#dropped,
      droppedIds: this.#droppedIds,
      liveFiles,
      deletedFiles: this.#deleted,
      tracksLogs: this.#trackedLog >= 0,
      unsupported: this.#unsupported,
    };
  }
}

function readEdit(record: LogRecord): Edit {
  const fields = new ByteCursor(record.payload);
  const edit: Edit = { column: 0, newFiles: [], deletedFiles: [], unsupported: [] };
  while (!fields.done) readField(fields, edit);
  return edit;
}

function readField(fields: ByteCursor, edit: Edit): void {
  const start = fields.position;
  const tag = fields.varint();
  if (tag === Tag.Comparator) edit.comparator = text(fields.lengthPrefixed());
  else if (tag === Tag.LogNumber) edit.logNumber = fileNumber(fields.varint());
  else if (tag === Tag.NextFile) edit.nextFile = fileNumber(fields.varint());
  else if (tag === Tag.LastSequence) edit.lastSequence = checkSequence(fields.varint());
  else if (tag === Tag.MinLogToKeep) edit.minLogToKeep = fileNumber(fields.varint());
  else if (tag === Tag.Column) edit.column = fields.varint();
  else if (tag === Tag.ColumnAdd) edit.add = text(fields.lengthPrefixed());
  else if (tag === Tag.ColumnDrop) edit.drop = true;
  else if (tag === Tag.InAtomicGroup) edit.remaining = fields.varint();
  else if (tag === Tag.MaxColumn) edit.highestId = fields.varint();
  else if (tag === Tag.PreviousLog) fields.varint();
  else if (tag === Tag.CompactCursor) {
    fields.varint();
    fields.lengthPrefixed();
  } else if (tag === Tag.DeletedFile) {
    fields.varint();
    edit.deletedFiles.push(fields.varint());
  } else if (tag === Tag.NewFile || tag === Tag.NewFile2 || tag === Tag.NewFile3 || tag === Tag.NewFile4) {
    const file = readNewFile(fields, tag, edit);
    edit.newFiles.push({ ...file, encoded: fields.since(start) });
  } else if (tag === Tag.BlobFile || tag === Tag.BlobGarbage) {
    readBlobFile(fields, tag);
    edit.unsupported.push(new UnsupportedFormat("values are in blob files"));
  } else if (tag === Tag.LogAddition) edit.trackedLog = new ByteCursor(fields.lengthPrefixed()).varint();
  else if (tag === Tag.LogDeletion) edit.trackedFrom = new ByteCursor(fields.lengthPrefixed()).varint();
  else if (tag === Tag.DatabaseId) {
    fields.lengthPrefixed();
    edit.databaseId = fields.since(start);
  } else if (tag >= Tag.SkippableBit && (tag & Tag.SkippableBit) !== 0) fields.lengthPrefixed();
  else throw new MalformedBytes(`a version edit has the unknown field ${tag}`);
}

function readNewFile(fields: ByteCursor, tag: number, edit: Edit): Omit<TableFile, "encoded"> {
  const level = fields.varint();
  const number = fileNumber(fields.varint());
  if (tag === Tag.NewFile3 && fields.varint() !== 0)
    edit.unsupported.push(new UnreadableFormat(SEVERAL_FOLDERS));
  const size = fields.varint();
  const smallest = parseInternalKey(fields.lengthPrefixed());
  const largest = parseInternalKey(fields.lengthPrefixed());
  const file = { number, size, level, smallest, largest };
  if (tag === Tag.NewFile) return { ...file, smallestSequence: undefined, largestSequence: undefined };
  const smallestSequence = fields.varint();
  const largestSequence = checkSequence(fields.varint());
  const uniqueId = tag === Tag.NewFile4 ? readFileFields(fields, edit) : undefined;
  return { ...file, smallestSequence, largestSequence, uniqueId };
}

function readFileFields(fields: ByteCursor, edit: Edit): Uint8Array | undefined {
  let uniqueId: Uint8Array | undefined;
  for (let tag = fields.varint(); tag !== FileTag.End; tag = fields.varint()) {
    const field = fields.lengthPrefixed();
    if (tag === FileTag.MinLogToKeep) {
      if (field.length < 8) throw new MalformedBytes("the number of a log is truncated");
      const view = new DataView(field.buffer, field.byteOffset, 8);
      edit.minLogToKeep = fileNumber(view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32);
    } else if (tag === FileTag.UniqueId) {
      if (field.length === 16 && field.some((byte) => byte !== 0)) uniqueId = field;
    } else if (tag === FileTag.Path) {
      if (field[0] !== 0) edit.unsupported.push(new UnreadableFormat(SEVERAL_FOLDERS));
    } else if ((tag & FileTag.NeededBit) !== 0) {
      edit.unsupported.push(new UnsupportedFormat(`a table file has the unknown property ${tag}`));
    }
  }
  return uniqueId;
}

function fileNumber(number: number): number {
  if (number >= MOST_NUMBER) throw new MalformedBytes("the number of a file is impossible");
  return number;
}

/** Skips the description of a blob file. */
function readBlobFile(fields: ByteCursor, tag: number): void {
  for (let count = 0; count < 3; count++) fields.varint(); // file number, number of blobs, number of bytes
  if (tag === Tag.BlobFile) {
    fields.lengthPrefixed(); // kind of checksum
    fields.lengthPrefixed(); // checksum
  }
  while (fields.varint() !== 0) fields.lengthPrefixed();
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBytes("a name is not UTF-8");
  }
}
