/** Writing what is only in write-ahead logs into tables, and a MANIFEST that names them. */

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

/** The place of the new files. */
export interface FlushTarget extends TableTarget {
  /** The database before. */
  readonly catalog: Catalog;
  /** The number of the log that later batches go into; it is there. Tables have all rows of those before it. */
  readonly logNumber: number;
  /** Returns the number of the next file. */
  nextNumber(): number;
  /** Throws DATABASE_LOCKED if another program has opened the database meanwhile. */
  checkAlone(): void;
  /** Returns whether CURRENT surely names the MANIFEST of `catalog`. Never rejects. */
  isCurrent(): Promise<boolean>;
  /** The tables of level 0 of which a flush makes a run, as the caller chose. */
  compactFrom(column: string): number | undefined;
  /** The failures of the last runs, by column family. */
  readonly failedRuns: Map<string, FailedRun>;
}

/** A run that could not be made. */
export interface FailedRun {
  readonly error: Error;
  /** Numbers of the tables of which no run can be made: they are damaged, or only RocksDB can compact them. Empty if the system refused. */
  readonly tables: readonly number[];
}

/** The change of a column family: its new tables, and those whose rows they have. */
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

/** Rows that go into tables without having been in a log. */
export interface Load {
  /** The name of their column family. */
  readonly column: string;
  /** Those of the same key come in the order in which they were written. */
  readonly rows: AsyncIterable<readonly RawRow[]>;
}

/**
 * Writes tables of the rows that are in logs only, and of those of a load, then a new MANIFEST. A column family gets one table of level 0, or a
 * run in place of several tables.
 * Until CURRENT names that, the database is as before; if anything fails before, the new files are removed.
 *
 * @returns the number of rows that were loaded
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
        // The rows of the logs still can be flushed. A full disk may have room the next time; damaged tables stay so.
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
    // The ids of dropped column families are not used again.
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
 * The edits before those of the column families. Like RocksDB, a new MANIFEST has only what is there, and no history; but a name that an
 * older OPTIONS file still lists must not seem to be lost.
 */
function firstEdits({ manifest: { databaseId, dropped } }: Catalog): Uint8Array[] {
  const edits = [...dropped].flatMap(([name, id]) => [encodeNewColumnEdit(id, name), encodeDropEdit(id)]);
  return databaseId === undefined ? edits : [databaseId, ...edits];
}

const numberOf = ({ number }: LiveFile): number => number;

/** Returns whether a run has all tables of one that failed because of them. */
function willFail({ inputs }: Run<LiveFile>, failed: FailedRun | undefined): boolean {
  if (failed === undefined || failed.tables.length === 0) return false;
  const numbers = new Set(inputs.map(numberOf));
  return failed.tables.every((number) => numbers.has(number));
}

/** Returns whether the system refused to read or write a file. */
function isOfSystem(error: unknown): error is Error {
  return (
    isMerostoreError(error, "ENGINE_FAILED") ||
    isMerostoreError(error, "PERMISSION_DENIED") ||
    (error instanceof Error && "syscall" in error)
  );
}

/** The deepest level of a column family. Without an OPTIONS file it is that of RocksDB by default; in one that does not name it, only 0 is sure. */
function deepestLevel({ deepestLevels }: Catalog, column: string): number {
  return deepestLevels === undefined ? 6 : (deepestLevels.get(column) ?? 0);
}

/**
 * Removes the files that the database no longer needs, also those that a killed writer left. A reader that has them open goes on.
 *
 * @param manifestBefore the name of the MANIFEST before
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
  // RocksDB removes what is left when it opens the database.
  for (const name of [manifestBefore, ...oldLogs, ...oldTables])
    await files.remove(name).catch(() => undefined);
}
