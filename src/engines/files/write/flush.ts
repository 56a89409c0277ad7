/** Writes the rows of write-ahead logs into tables, and a MANIFEST that names the tables. */

import { NumberMap } from "../../../bytes/number-map.js";
import type { RawRow } from "../../../engine/engine.js";
import { isMerostoreError } from "../../../errors.js";
import type { Catalog } from "../../../lsm/catalog/catalog.js";
import { logName, manifestName } from "../../../lsm/catalog/file-names.js";
import { isDamage } from "../../../lsm/damage.js";
import {
  encodeDropEdit,
  encodeNewColumnEdit,
  encodeNewTable,
  encodeNumbersEdit,
  encodeTablesEdit,
  type NewTable,
} from "../../../lsm/format/encode-manifest.js";
import type { LiveFile } from "../../../lsm/format/manifest.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { familyOf } from "../files-engine.js";
import type { State } from "../state.js";
import { chooseRun, type Run, writeRun } from "./compaction.js";
import { setCurrent, writeManifest } from "./manifest.js";
import { RowLoad } from "./row-load.js";
import { type Column, type TableTarget, TableWriter } from "./table-writer.js";

/** The target of a flush. */
interface FlushTarget extends TableTarget {
  /** The database before the flush. */
  readonly catalog: Catalog;
  /** The number of the existing log for later batches. After the flush, tables have all rows of the logs before it. */
  readonly logNumber: number;
  /** Returns the number of the next file. */
  nextNumber(): number;
  /** Throws DATABASE_LOCKED if another program has opened the database meanwhile. */
  checkAlone(): void;
  /** Returns whether CURRENT surely names the MANIFEST of `catalog`. Never rejects. */
  isCurrent(): Promise<boolean>;
  /** The number of tables on level 0 from which on a flush makes a run, if the caller chose one. */
  compactFrom(column: string): number | undefined;
  /** The failed runs, by column family. */
  readonly failedRuns: Map<string, FailedRun>;
}

/** A run that could not be made. */
export interface FailedRun {
  readonly error: Error;
  /**
   * The numbers of the tables that cannot be compacted: they are damaged, or only RocksDB can compact them. Empty if
   * the system refused.
   */
  readonly tables: readonly number[];
}

/** The change of a column family: its new tables, and the tables that they replace. */
interface Change {
  readonly tables: readonly NewTable[];
  readonly replaced: readonly LiveFile[];
}

/** The further changes of a flush. */
export interface FlushChanges {
  readonly load?: Load | undefined;
  /** Names of column families to add, without rows. */
  readonly newColumns?: readonly string[] | undefined;
}

/** Rows that go directly into tables, without a log. */
interface Load {
  /** The name of their column family. */
  readonly column: string;
  /** The rows. Rows with the same key come in the order of their writes. */
  readonly rows: AsyncIterable<readonly RawRow[]>;
}

/**
 * Writes the rows of logs and of a load into tables, then a new MANIFEST. A column family gets one table of level 0, or
 * a run that replaces several tables. The database is unchanged until CURRENT names the new MANIFEST. If anything fails
 * before, the new files are removed.
 *
 * @returns the number of loaded rows
 */
export async function flushTables(
  state: State,
  target: FlushTarget,
  { load, newColumns = [] }: FlushChanges = {},
): Promise<number> {
  const { files, catalog, logNumber } = target;
  const made: string[] = [];
  let { sequence } = state;
  let loaded = 0;
  const create = (column: Column): Promise<TableWriter> =>
    TableWriter.create(target, target.nextNumber(), column, made);
  const flushed = async (column: Column, tables: readonly LiveFile[]): Promise<Change> => {
    const family = familyOf(state, column.name);
    if (family.changes === 0) return { tables: [], replaced: [] };
    const deepest = deepestLevel(catalog, column.name);
    const run = chooseRun(tables, family.changedBytes, deepest, target.compactFrom(column.name));
    const before = made.length;
    if (run !== undefined && !willFail(run, target.failedRuns.get(column.name)))
      try {
        const written = await writeRun(family, run, () => create(column));
        target.failedRuns.delete(column.name);
        return { tables: written, replaced: run.inputs };
      } catch (error) {
        // The rows of the logs can still be flushed. A full disk may have space the next time, but damaged tables stay
        // damaged.
        const isLasting = isDamage(error);
        if (!isLasting && !isOfSystem(error)) throw error;
        target.failedRuns.set(column.name, { error, tables: isLasting ? run.inputs.map(numberOf) : [] });
        for (const name of made.splice(before)) await files.remove(name).catch(() => undefined);
      }
    const table = await create(column);
    return { tables: [await table.writeAll(await family.unflushed(), 0)], replaced: [] };
  };
  try {
    const edits = firstEdits(catalog);
    for (const { id, name } of catalog.manifest.columns) {
      const column = { id, name };
      const live = catalog.manifest.liveFiles.filter((file) => file.column === name);
      const { tables, replaced } = await flushed(column, live);
      const added: NewTable[] = [];
      if (name === load?.column) {
        const before = [...live.filter((file) => !replaced.includes(file)), ...tables];
        const run = new RowLoad(sequence, before, deepestLevel(catalog, name), () => create(column));
        added.push(...(await run.write(load.rows)));
        sequence = run.sequence;
        loaded = run.rows;
      }
      const kept = live.filter((file) => !replaced.includes(file)).map(({ encoded }) => encoded);
      const fields = [...kept, ...[...tables, ...added].map(encodeNewTable)];
      edits.push(encodeNewColumnEdit(id, name), encodeTablesEdit(id, logNumber, fields));
    }
    // The ids of dropped column families are not reused.
    let id = catalog.manifest.highestId;
    for (const name of newColumns)
      edits.push(encodeNewColumnEdit(++id, name), encodeTablesEdit(id, logNumber, []));
    const number = target.nextNumber();
    edits.push(encodeNumbersEdit(number + 1, sequence, id));
    target.checkAlone();
    await writeManifest(files, number, edits);
    made.push(manifestName(number));
    target.checkAlone();
    await setCurrent(files, number);
  } catch (error) {
    if (await target.isCurrent()) for (const name of made) await files.remove(name).catch(() => undefined);
    throw error;
  }
  await files.syncNames();
  return loaded;
}

/**
 * The first edits of a new MANIFEST, before the edits of the column families. As in RocksDB, it has only the present
 * state and no history. But it records dropped families: an older OPTIONS file may still list them, and they must not
 * seem lost.
 */
function firstEdits({ manifest: { databaseId, dropped } }: Catalog): Uint8Array[] {
  const edits = [...dropped].flatMap(([name, id]) => [encodeNewColumnEdit(id, name), encodeDropEdit(id)]);
  return databaseId === undefined ? edits : [databaseId, ...edits];
}

const numberOf = ({ number }: LiveFile): number => number;

/** Returns whether a run includes all tables that made an earlier run fail. */
function willFail({ inputs }: Run<LiveFile>, failed: FailedRun | undefined): boolean {
  if (failed === undefined || failed.tables.length === 0) return false;
  const numbers = new Set(inputs.map(numberOf));
  return failed.tables.every((number) => numbers.has(number));
}

/** Returns whether an error comes from the system, which refused to read or write a file. */
function isOfSystem(error: unknown): error is Error {
  return (
    isMerostoreError(error, "ENGINE_FAILED") ||
    isMerostoreError(error, "PERMISSION_DENIED") ||
    (error instanceof Error && "syscall" in error)
  );
}

/**
 * The deepest level of a column family. Without an OPTIONS file it is RocksDB's default. If the file does not name the
 * family, only level 0 is sure.
 */
function deepestLevel({ options }: Catalog, column: string): number {
  return options === undefined ? 6 : (options.deepestLevels.get(column) ?? 0);
}

/**
 * Removes the files that the database no longer needs, including files of a killed writer. Readers that have them open
 * can continue.
 *
 * @param manifestBefore the name of the previous MANIFEST
 */
export async function removeObsolete(
  files: WritableFiles,
  { logs, tables, manifest }: Catalog,
  manifestBefore: string,
  logNumber: number,
): Promise<void> {
  const live = new NumberMap(manifest.liveFiles.map(({ number }) => [number, true]));
  const oldLogs = logs.filter((log) => log < logNumber).map(logName);
  const oldTables = [...tables].filter(([number]) => !live.has(number)).map(([, name]) => name);
  // RocksDB removes remaining files when it opens the database.
  for (const name of [manifestBefore, ...oldLogs, ...oldTables])
    await files.remove(name).catch(() => undefined);
}
