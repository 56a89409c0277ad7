/** Writing what is only in write-ahead logs into tables, and a MANIFEST that names them. */

import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/sync-folder.js";
import { type Catalog, logName, readManifestFile, tableName } from "../../../lsm/catalog/catalog.js";
import { closeLogs, openLogs } from "../../../lsm/catalog/log-replay.js";
import { unsupported } from "../../../lsm/damage.js";
import { UnreadableFormat } from "../../../lsm/format/byte-cursor.js";
import { encodeRecord } from "../../../lsm/format/encode-log.js";
import { encodeColumnEdit, encodeNumbersEdit, type NewTable } from "../../../lsm/format/encode-manifest.js";
import { encodeTable, type TableEntry } from "../../../lsm/format/encode-table.js";
import { comparePositions, EntryType } from "../../../lsm/format/internal-key.js";
import { LogScanner } from "../../../lsm/format/log-records.js";
import { isPlainBatch } from "../../../lsm/format/write-batch.js";
import { logPieces } from "../../../lsm/log-pieces.js";
import { familyOf } from "../files-engine.js";
import type { Memtable } from "../read/memtable.js";
import type { RangeDeletion } from "../read/tombstones.js";
import type { State } from "../state.js";

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
}

/** Bytes that are written at once. */
const PIECE = 1024 * 1024;

/**
 * Writes a table of level 0 for each column family that has rows in a log only, then a new MANIFEST. Until CURRENT names that, the
 * database is as before; if anything fails before, the new files are removed.
 *
 * @returns the name of the new MANIFEST
 */
export async function flushTables(state: State, target: FlushTarget): Promise<string> {
  const { folder, catalog, mode, logNumber } = target;
  const made: string[] = [];
  try {
    const edits: Uint8Array[] = [];
    for (const { id, name } of catalog.manifest.columns) {
      const memtable = await familyOf(state, name).unflushed();
      const isEmpty = memtable.count === 0 && memtable.rangeDeletions.length === 0;
      const number = isEmpty ? 0 : target.nextNumber();
      if (!isEmpty) made.push(join(folder, tableName(number)));
      const table = isEmpty
        ? undefined
        : await writeTable(made.at(-1) as string, mode, number, { id, name }, memtable);
      edits.push(encodeColumnEdit(id, logNumber, table));
    }
    const number = target.nextNumber();
    const manifestName = `MANIFEST-${String(number).padStart(6, "0")}`;
    edits.push(encodeNumbersEdit(number + 1, state.sequence));
    made.push(join(folder, manifestName));
    await writeSynced(join(folder, manifestName), mode, await manifestWith(catalog, edits));
    const temporary = join(folder, `${String(number).padStart(6, "0")}.dbtmp`);
    made.push(temporary);
    await writeSynced(temporary, mode, [new TextEncoder().encode(`${manifestName}\n`)]);
    await syncFolder(folder); // the names of the tables are on disk before CURRENT leads to them
    await rename(temporary, join(folder, "CURRENT"));
    return manifestName;
  } catch (error) {
    for (const file of made) await rm(file, { force: true }).catch(() => undefined);
    throw error;
  }
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

/** @throws MerostoreError FORMAT_UNSUPPORTED for logs with more in their values than a memtable keeps */
export async function checkPlain(catalog: Catalog): Promise<void> {
  const logs = await openLogs(catalog);
  try {
    for (const { number, source } of logs) {
      let isPlain = true;
      const scanner = new LogScanner(number, (_, payload) => {
        isPlain = isPlainBatch(payload);
        return isPlain;
      });
      for await (const { bytes, isLast } of logPieces(source, catalog.files)) {
        scanner.read(bytes, isLast);
        if (scanner.ended) break;
      }
      if (isPlain) continue;
      throw unsupported(
        catalog.files.where(logName(number)),
        new UnreadableFormat(
          "values in the log have several columns",
          "Open and close the database once with RocksDB",
        ),
      );
    }
  } finally {
    closeLogs(logs);
  }
}

async function writeTable(
  path: string,
  mode: number,
  number: number,
  column: { readonly id: number; readonly name: string },
  memtable: Memtable,
): Promise<NewTable> {
  const table = encodeTable(
    column,
    memtable.entries(),
    memtable.rangeDeletions.map(entryOf).sort(comparePositions),
  );
  return writeSynced(path, mode, table).then((described) => ({ number, ...described }));
}

function entryOf({ begin, end, sequence }: RangeDeletion): TableEntry {
  return { key: begin.key, sequence, type: EntryType.RangeDeletion, value: end.key };
}

/** The MANIFEST with more edits. */
async function manifestWith(
  { files, manifestName, manifestEnd }: Catalog,
  edits: readonly Uint8Array[],
): Promise<readonly Uint8Array[]> {
  const bytes = (await readManifestFile(files, manifestName)) as Uint8Array;
  const pieces = [bytes.subarray(0, manifestEnd)];
  let end = manifestEnd;
  for (const edit of edits) {
    const record = encodeRecord(edit, end);
    pieces.push(record);
    end += record.length;
  }
  return pieces;
}

/** Writes a new file, and returns what the generator returns. */
async function writeSynced<T>(path: string, mode: number, pieces: Iterable<Uint8Array, T>): Promise<T> {
  const file = await open(path, "wx", mode);
  try {
    const iterator = pieces[Symbol.iterator]();
    let waiting: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const next = iterator.next();
      if (next.done !== true) {
        waiting.push(next.value);
        bytes += next.value.length;
      }
      if (bytes >= PIECE || next.done === true) {
        await file.writeFile(Buffer.concat(waiting));
        waiting = [];
        bytes = 0;
      }
      if (next.done === true) {
        await file.sync();
        return next.value;
      }
    }
  } finally {
    await file.close();
  }
}
