/** Writing what is only in write-ahead logs into tables, and a MANIFEST that names them. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/sync-folder.js";
import { type Catalog, logName, readManifestFile, tableName } from "../../../lsm/catalog/catalog.js";
import { encodeColumnEdit, encodeNumbersEdit, type NewTable } from "../../../lsm/format/encode-manifest.js";
import { encodeTable, type TableEntry } from "../../../lsm/format/encode-table.js";
import { comparePositions, EntryType } from "../../../lsm/format/internal-key.js";
import { familyOf } from "../files-engine.js";
import type { Memtable } from "../read/memtable.js";
import type { RangeDeletion } from "../read/tombstones.js";
import type { State } from "../state.js";
import { manifestFile, setCurrent, writeManifest, writeSynced } from "./manifest.js";

type Column = Parameters<typeof encodeTable>[0];

/** The place of the new files. */
export interface FlushTarget {
  readonly folder: string;
  /** The database before. */
  readonly catalog: Catalog;
  /** The permissions of new files. */
  readonly mode: number;
  /** The number of the log that later batches go into; it is there. Tables have all rows of those before it. */
  readonly logNumber: number;
  /** Returns the number of the next file. */
  nextNumber(): number;
  /** Throws DATABASE_LOCKED if another program has opened the database meanwhile. */
  checkAlone(): void;
  /** Returns whether CURRENT names the MANIFEST of `catalog`. */
  isCurrent(): boolean;
}

/**
 * Writes a table of level 0 for each column family that has rows in a log only, then a new MANIFEST. Until CURRENT names that, the
 * database is as before; if anything fails before, the new files are removed.
 */
export async function flushTables(state: State, target: FlushTarget): Promise<void> {
  const { folder, catalog, mode, logNumber } = target;
  const made: string[] = [];
  const writeRows = async (column: Column, memtable: Memtable): Promise<NewTable | undefined> => {
    if (memtable.count === 0 && memtable.rangeDeletions.length === 0) return undefined;
    const number = target.nextNumber();
    const path = join(folder, tableName(number));
    const rangeDeletions = memtable.rangeDeletions.map(entryOf).sort(comparePositions);
    const table = encodeTable(column, memtable.entries(), rangeDeletions);
    const described = await writeSynced(path, mode, table);
    made.push(path);
    return { number, ...described };
  };
  try {
    const edits: Uint8Array[] = [];
    for (const { id, name } of catalog.manifest.columns) {
      const memtable = await familyOf(state, name).unflushed();
      edits.push(encodeColumnEdit(id, logNumber, await writeRows({ id, name }, memtable)));
    }
    const number = target.nextNumber();
    edits.push(encodeNumbersEdit(number + 1, state.sequence));
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

function entryOf({ begin, end, sequence }: RangeDeletion): TableEntry {
  return { key: begin.key, sequence, type: EntryType.RangeDeletion, value: end.key };
}
