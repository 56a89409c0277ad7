/** Making a database out of an export. */

import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkFree } from "../engine/files/source/folder.js";
import { type Engine, openRocksEngine, type WriteOperation } from "../engine/index.js";
import { MerostoreError } from "../errors.js";
import { type KnownRows, revisions, type Schema } from "../schemas/index.js";
import { type ExportedRow, type ExportReading, readExport } from "./read-export.js";

/** How an export is imported. */
export interface ImportOptions {
  /** Check the rows as those of this revision; without it, of the one that the export names. */
  readonly schema?: Schema | undefined;
  /** Take a redacted export, without the rows whose values were left out. */
  readonly withoutSecrets?: boolean | undefined;
  /** Add the rows to a database that is there, over rows with the same keys. */
  readonly intoExisting?: boolean | undefined;
  /** Called now and then with the number of rows that were read. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** What was imported. */
export interface Imported {
  readonly rows: number;
  /** Rows that were left out because the export has not their values. */
  readonly withoutValue: number;
}

/** Opens the bytes of an export, unpacked, from the beginning. It may be asked more than once. */
export type ExportSource = () => AsyncIterable<Uint8Array>;

/** Rows and bytes of one batch at most. */
const BATCH_ROWS = 1000;
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Imports an export. A new database is made beside `path` and gets its name only when it is complete and flushed, so
 * that a failure, or the end of this process, leaves nothing at `path`. Into an existing database nothing is written
 * before the whole export has been checked; it is then written in batches, and importing again completes what was cut off.
 *
 * @param path where the database is to be, or is with `intoExisting`
 * @throws MerostoreError `EXPORT_INVALID`, `DATABASE_EXISTS`, `NOT_A_DATABASE`, and those of opening and writing
 * @example
 * await importExport(() => createReadStream("node.ndjson"), "node/restored");
 */
export async function importExport(
  source: ExportSource,
  path: string,
  options: ImportOptions = {},
): Promise<Imported> {
  return options.intoExisting ? intoExisting(source, path, options) : intoNew(source, path, options);
}

async function intoNew(source: ExportSource, path: string, options: ImportOptions): Promise<Imported> {
  checkFree(path);
  const reading = await begin(source, options);
  const made = join(dirname(path), `.${basename(path)}.importing-${randomBytes(4).toString("hex")}`);
  try {
    const columns = reading.header.columns.filter((name) => name !== "default");
    const engine = await openRocksEngine(made, { create: { columns } });
    let imported: Imported;
    try {
      imported = await copyRows(reading, engine, options);
      await engine.flush();
    } finally {
      await engine.close();
    }
    checkFree(path);
    renameSync(made, path); // an empty folder is replaced
    return imported;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  }
}

async function intoExisting(source: ExportSource, path: string, options: ImportOptions): Promise<Imported> {
  const checked = await begin(source, options);
  for await (const _ of checked.rows(schemaOf(checked, options)));
  const engine = await openRocksEngine(path);
  try {
    const missing = checked.header.columns.filter((name) => !engine.columns.includes(name));
    if (missing.length > 0) {
      throw new MerostoreError(
        "UNKNOWN_COLUMN_FAMILY",
        `${path} has no column family ${missing.join(", ")}: import into a new database instead`,
      );
    }
    const imported = await copyRows(await begin(source, options), engine, options);
    await engine.flush();
    return imported;
  } finally {
    await engine.close();
  }
}

async function begin(source: ExportSource, { withoutSecrets }: ImportOptions): Promise<ExportReading> {
  const reading = await readExport(source());
  if (reading.header.redacted && !withoutSecrets) {
    throw new MerostoreError(
      "EXPORT_INVALID",
      "the export was made without secrets, so that rows have no values: export with --reveal-secrets, or import it without those rows (--without-secrets)",
    );
  }
  return reading;
}

/** The schema that the rows are checked by; undefined for a database of several revisions. */
function schemaOf({ header }: ExportReading, { schema }: ImportOptions): Schema | undefined {
  if (schema !== undefined) return schema;
  const named = (revisions as readonly Schema<KnownRows>[]).find(({ name }) => name === header.revision);
  if (named !== undefined || header.revision === "mixed") return named as Schema | undefined;
  throw new MerostoreError(
    "EXPORT_INVALID",
    `the export is of the revision ${header.revision}, which is not known here: name one that is (--revision)`,
  );
}

async function copyRows(reading: ExportReading, engine: Engine, options: ImportOptions): Promise<Imported> {
  let rows = 0;
  let withoutValue = 0;
  let batch: WriteOperation[] = [];
  let bytes = 0;
  const write = async (): Promise<void> => {
    if (batch.length > 0) await engine.write(batch);
    batch = [];
    bytes = 0;
  };
  for await (const piece of reading.rows(schemaOf(reading, options))) {
    for (const row of piece) {
      if (row.value === undefined) {
        withoutValue++;
        continue;
      }
      batch.push(putOf(row, row.value));
      bytes += row.key.length + row.value.length;
      rows++;
      if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await write();
    }
    options.onProgress?.(rows);
  }
  await write();
  return { rows, withoutValue };
}

function putOf({ column, key }: ExportedRow, value: Uint8Array): WriteOperation {
  return { type: "put", column, key, value };
}
