/** Writing what is only in write-ahead logs into tables, and a MANIFEST that names them. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/sync-folder.js";
import type { RawRow } from "../../../engine/engine.js";
import { type Catalog, logName, readManifestFile } from "../../../lsm/catalog/catalog.js";
import { encodeColumnEdit, encodeNumbersEdit, type NewTable } from "../../../lsm/format/encode-manifest.js";
import { familyOf } from "../files-engine.js";
import type { Memtable } from "../read/memtable.js";
import type { State } from "../state.js";
import { manifestFile, setCurrent, writeManifest } from "./manifest.js";
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
  /** Returns whether CURRENT names the MANIFEST of `catalog`. */
  isCurrent(): boolean;
}

/** Rows that go into tables without having been in a log. */
export interface Load {
  /** The name of their column family. */
  readonly column: string;
  /** Those of the same key come in the order in which they were written. */
  readonly rows: AsyncIterable<readonly RawRow[]>;
}

/**
 * Writes a table of level 0 for each column family that has rows in a log only, and tables of the rows of a load, then a new MANIFEST.
 * Until CURRENT names that, the database is as before; if anything fails before, the new files are removed.
 *
 * @returns the number of rows that were loaded
 */
export async function flushTables(state: State, target: FlushTarget, load?: Load): Promise<number> {
  const { folder, catalog, mode, logNumber } = target;
  const made: string[] = [];
  let { sequence } = state;
  let loaded = 0;
  const create = (column: Column): Promise<TableWriter> =>
    TableWriter.create(target, target.nextNumber(), column, made);
  const flushed = async (column: Column, memtable: Memtable): Promise<NewTable[]> => {
    if (memtable.count === 0 && memtable.rangeDeletions.length === 0) return [];
    const table = await create(column);
    return [await table.writeAll(memtable, 0)];
  };
  try {
    const edits: Uint8Array[] = [];
    for (const { id, name } of catalog.manifest.columns) {
      const column = { id, name };
      const tables = await flushed(column, await familyOf(state, name).unflushed());
      if (name === load?.column) {
        const before = [...catalog.manifest.liveFiles.filter((file) => file.column === name), ...tables];
        const run = new RowLoad(sequence, before, deepestLevel(catalog), () => create(column));
        tables.push(...(await run.write(load.rows)));
        sequence = run.sequence;
        loaded = run.rows;
      }
      edits.push(encodeColumnEdit(id, logNumber, tables));
    }
    const number = target.nextNumber();
    edits.push(encodeNumbersEdit(number + 1, sequence));
    const { files, manifestName, manifestEnd } = catalog;
    const before = await readManifestFile(files, manifestName);
    target.checkAlone();
    await writeManifest(folder, number, mode, (before as Uint8Array).subarray(0, manifestEnd), edits);
    made.push(join(folder, manifestFile(number)));
    target.checkAlone();
    await setCurrent(folder, number, mode);
  } catch (error) {
    if (target.isCurrent()) for (const file of made) await rm(file, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
  return loaded;
}

/** RocksDB has seven levels, unless its options say otherwise: then no level is sure but 0. */
function deepestLevel({ optionsName }: Catalog): number {
  return optionsName === undefined ? 6 : 0;
}

/** Removes the files that the database no longer needs. A reader that has them open goes on. */
export async function removeObsolete(
  folder: string,
  { manifestName, logs }: Catalog,
  logNumber: number,
): Promise<void> {
  const names = logs.filter((log) => log < logNumber).map(logName);
  // RocksDB removes what is left when it opens the database.
  for (const name of [manifestName, ...names])
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}
