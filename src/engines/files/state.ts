/** The state of a database at one moment: its column families, and their open files. */

import { isMerostoreError, type MerostoreError, type Warning } from "../../errors.js";
import type { Catalog } from "../../lsm/catalog/catalog.js";
import {
  findIncompleteness,
  findMissingLogs,
  missingLogs,
  unmentionedColumn,
} from "../../lsm/catalog/completeness.js";
import { tableName } from "../../lsm/catalog/file-names.js";
import { findUnsupported } from "../../lsm/catalog/find-unsupported.js";
import {
  closeLogs,
  type LogFile,
  type LogLoss,
  type LogReplay,
  lastInTables,
  replayLogs,
  type SequenceGap,
} from "../../lsm/catalog/log-replay.js";
import { unsupported } from "../../lsm/damage.js";
import { UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import type { ChangeSink } from "../../lsm/format/write-batch.js";
import type { FileSource } from "../../lsm/source.js";
import { isFlag, isFunction, isWholeNumber, type OptionChecks } from "../../options.js";
import { BlockCache } from "./read/block-cache.js";
import { ColumnFamilyReader } from "./read/family.js";
import { type Memtable, MemtableBuilder } from "./read/memtable.js";
import { Table, type TableContext } from "./read/table.js";

/** Options for reading a database. */
export interface ReadOptions {
  /**
   * Verify the checksum of every block. Without it a scan is a little faster, but a damaged block may give wrong rows
   * instead of an error. Default true.
   */
  readonly checksums?: boolean | undefined;
  /**
   * The most bytes of blocks that are cached for reads of single keys. Scans cache no blocks. But if a column family
   * has at most 1/256 of these bytes, its rows are kept from the second scan on. Default 64 MiB.
   */
  readonly cacheBytes?: number | undefined;
  /**
   * Open a database although write-ahead logs are missing, without the rows that only they have; `warnings` says so.
   * Without it the error is LOG_MISSING. A damaged log is read up to the damage in any case; with this option, copies
   * and exports of the rest are possible.
   */
  readonly acceptLogLoss?: boolean | undefined;
}

/** The checks of {@link ReadOptions}. */
export const readOptions: OptionChecks<ReadOptions> = {
  checksums: isFlag,
  cacheBytes: isWholeNumber(0),
  acceptLogLoss: isFlag,
};

/** Options of {@link openFiles}. */
export interface FilesOptions extends ReadOptions {
  /**
   * Called whenever a read meets an unreadable part of a table, with the column family and an error that names file and
   * place. The read then leaves out the rows in that part. Such a row may appear with its value before its last change,
   * even if that change deleted it. So the result is for people to look at, and `recoverDatabase` makes a database from
   * it. By default such a read fails with `DATABASE_DAMAGED`.
   */
  readonly onDamage?: ((column: string, error: MerostoreError) => void) | undefined;
}

/** The checks of {@link FilesOptions}. */
export const filesOptions: OptionChecks<FilesOptions> = { ...readOptions, onDamage: isFunction };

const CACHE_BYTES = 64 * 1024 * 1024;
/** The part of the cache's bytes that a small column family may use. All families of a node together use an eighth. */
const SMALL_FAMILY = 1 / 256;

/** The open table files of a database. They are closed when the last state that uses them is released. */
class SharedTables {
  readonly #sources: readonly FileSource[];
  #users = 1;

  constructor(sources: readonly FileSource[]) {
    this.#sources = sources;
  }

  retain(): void {
    this.#users++;
  }

  release(): void {
    this.#users--;
    if (this.#users === 0) for (const source of this.#sources) source.close();
  }
}

type Families = ReadonlyMap<string, ColumnFamilyReader | MerostoreError>;

export class State {
  /** Each column family, or the error if it cannot be read. */
  readonly families: Families;
  /** The names of the column families. */
  readonly columns: readonly string[];
  /** The unread part of the write-ahead log. */
  readonly loss: LogLoss | undefined;
  /** A sentence about that part, unless it is an incomplete last write, or its loss is accepted. */
  readonly lost: readonly string[];
  /** A warning about write-ahead logs that are missing. */
  readonly missing: readonly Warning[];
  /** The sequence number of its last write. */
  readonly sequence: number;
  readonly #tables: SharedTables;

  /** @param tables released once for the state itself */
  constructor(
    families: Families,
    { loss, lost, missing }: Pick<State, "loss" | "lost" | "missing">,
    sequence: number,
    tables: SharedTables,
  ) {
    this.families = families;
    this.columns = [...families.keys()];
    this.loss = loss;
    this.lost = lost;
    this.missing = missing;
    this.sequence = sequence;
    this.#tables = tables;
  }

  /** Returns the state after more writes. The caller releases it instead of this one. */
  after(changed: Families, sequence: number): State {
    return new State(new Map([...this.families, ...changed]), this, sequence, this.#tables);
  }

  /** Keeps the files open until one more call of `release`. */
  retain(): this {
    this.#tables.retain();
    return this;
  }

  release(): void {
    this.#tables.release();
  }
}

/** The open files of a database. Their content up to their sizes does not change any more. */
export interface OpenFiles {
  readonly catalog: Catalog;
  /** The table files, by name; some may be missing. */
  readonly tables: ReadonlyMap<string, FileSource>;
  readonly logs: readonly LogFile[];
}

/**
 * Opens the table files that the catalog names.
 *
 * @param onMissing called if some are missing; its error is passed on
 */
export async function openTables(
  { files, manifest, tables: names }: Catalog,
  onMissing: () => Promise<void>,
): Promise<ReadonlyMap<string, FileSource>> {
  const tables = new Map<string, FileSource>();
  let isComplete = true;
  try {
    for (const { number } of manifest.liveFiles) {
      const name = names.get(number);
      if (name !== undefined && tables.has(name)) continue;
      const source = name === undefined ? undefined : await files.open(name);
      if (name !== undefined && source !== undefined) tables.set(name, source);
      else isComplete = false;
    }
    if (!isComplete) await onMissing();
    return tables;
  } catch (error) {
    for (const source of tables.values()) source.close();
    throw error;
  }
}

/**
 * Reads the state from open files. The files are closed with the state, or if this fails.
 *
 * @throws MerostoreError DATABASE_DAMAGED, LOG_MISSING, FORMAT_UNSUPPORTED, ENGINE_FAILED
 */
export async function readState({ catalog, tables, logs }: OpenFiles, options: FilesOptions): Promise<State> {
  const { files, manifest, tables: names } = catalog;
  try {
    const beyond = findUnsupported(catalog);
    if (beyond !== undefined) throw beyond;
    const incomplete = await findIncompleteness(catalog, (name) => tables.get(name)?.size);
    if (incomplete !== undefined) throw incomplete;
    throwMissing(catalog, options);
    const { checksums: verify = true, cacheBytes = CACHE_BYTES, onDamage } = options;
    const cache = new BlockCache(cacheBytes);
    const isFar = files.isFar === true;
    // Reading all rows would be slow over a network, and would report damage in rows that the caller did not ask for.
    const kept = isFar || onDamage !== undefined ? 0 : cacheBytes * SMALL_FAMILY;
    const context: TableContext = { verify, cache, isFar, onDamage };
    const { memtables, loss, gaps, sequence } = await replay(catalog, logs);
    throwMissing(catalog, options, gaps);
    const isLost = loss !== undefined && !loss.unfinished && options.acceptLogLoss !== true;
    const opened = new Map(manifest.columns.map(({ name }) => [name, [] as (Table | MerostoreError)[]]));
    const tablesInOrder = manifest.liveFiles.map((file) => {
      const name = names.get(file.number) ?? tableName(file.number);
      return new Table(tables.get(name) as FileSource, files.where(name), file, context);
    });
    if (isFar) await openFirstLevel(tablesInOrder);
    for (const table of tablesInOrder) {
      const found = isFar ? table : await openOrDamage(table);
      if (isMerostoreError(found) && onDamage !== undefined) onDamage(table.file.column, found);
      else opened.get(table.file.column)?.push(found);
    }
    const families = new Map<string, ColumnFamilyReader | MerostoreError>();
    for (const { id, name } of manifest.columns) {
      const memtable = await (memtables.get(id) as MemtableBuilder).build();
      families.set(name, familyOf(memtable, opened.get(name) ?? [], isFar, kept));
    }
    // A writer continues after the highest sequence number in tables and logs, whatever the MANIFEST has.
    const last = Math.max(sequence ?? 0, lastInTables(manifest));
    return new State(
      families,
      { loss, lost: isLost ? [loss.sentence] : [], missing: missingLogs(catalog, gaps) },
      last,
      new SharedTables([...tables.values()]),
    );
  } catch (error) {
    for (const source of tables.values()) source.close();
    throw error;
  } finally {
    closeLogs(logs);
  }
}

/** Throws LOG_MISSING if logs are missing, unless the options accept that. */
function throwMissing(catalog: Catalog, options: ReadOptions, gaps?: readonly SequenceGap[]): void {
  const missing = options.acceptLogLoss ? undefined : findMissingLogs(catalog, gaps);
  if (missing !== undefined) throw missing;
}

/** Closes files without a state. */
export function closeFiles({ tables, logs }: OpenFiles): void {
  for (const source of tables.values()) source.close();
  closeLogs(logs);
}

/** The content of the logs. */
interface Replayed extends LogReplay {
  readonly memtables: ReadonlyMap<number, MemtableBuilder>;
  /** The sequence number of the last write; undefined if there are none. */
  readonly sequence: number | undefined;
}

/** Reads the entries of the logs for each column family, by its id. */
async function replay(catalog: Catalog, logs: readonly LogFile[]): Promise<Replayed> {
  const { columns, highestId } = catalog.manifest;
  const memtables = new Map(columns.map(({ id }) => [id, new MemtableBuilder()]));
  let last: number | undefined;
  let unmentioned: number | undefined;
  const sinkOf = (log: number): ChangeSink => {
    // Skips entries that the family already has in tables, and entries of dropped families.
    const needed = new Map(
      columns.flatMap(({ id, logNumber }) => (log < logNumber ? [] : [[id, memtables.get(id)]])),
    ) as Map<number, MemtableBuilder>;
    return (column, type, sequence, bytes, keyStart, keyEnd, valueStart, valueEnd) => {
      last = sequence;
      if (column > highestId) unmentioned ??= log;
      needed.get(column)?.add(type, sequence, bytes, keyStart, keyEnd, valueStart, valueEnd);
    };
  };
  const dropOverridden = async (): Promise<void> => {
    for (const memtable of memtables.values()) if (memtable.isFull) await memtable.drop();
  };
  const replayed = await replayLogs(catalog, logs, sinkOf, dropOverridden).catch((error: unknown) => {
    throw error instanceof UnsupportedFormat ? unsupported(catalog.files.name, error) : error;
  });
  if (unmentioned !== undefined) throw unmentionedColumn(catalog, unmentioned);
  return { ...replayed, memtables, sequence: last };
}

/** A damaged table makes its column family unreadable, not the database. */
async function openOrDamage(table: Table): Promise<Table | MerostoreError> {
  try {
    await table.open();
    return table;
  } catch (error) {
    if (isMerostoreError(error, "DATABASE_DAMAGED")) return error;
    throw error;
  }
}

/**
 * Opens the tables of level 0 together, because their ages are compared. Other far tables are opened when they are
 * needed. Damage shows at the first read.
 */
async function openFirstLevel(tables: readonly Table[]): Promise<void> {
  await Promise.all(tables.filter(({ file }) => file.level === 0).map((table) => openOrDamage(table)));
}

function familyOf(
  memtable: Memtable,
  tables: readonly (Table | MerostoreError)[],
  isFar: boolean,
  kept: number,
): ColumnFamilyReader | MerostoreError {
  const readable: Table[] = [];
  for (const table of tables) {
    if (isMerostoreError(table)) return table;
    readable.push(table);
  }
  try {
    return ColumnFamilyReader.of(memtable, readable, isFar, kept);
  } catch (error) {
    if (isMerostoreError(error, "DATABASE_DAMAGED")) return error;
    throw error;
  }
}
