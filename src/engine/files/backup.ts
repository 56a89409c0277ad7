/** A copy of a database by its files, beside a running node. */

import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MerostoreError } from "../../errors.js";
import { type Catalog, CatalogOutdated, logName, readCatalog } from "./catalog/catalog.js";
import { findIncompleteness } from "./catalog/completeness.js";
import { settled } from "./catalog/settle.js";
import { readLog } from "./format/log-records.js";
import { openCurrentFiles } from "./open.js";
import { unsupported } from "./read/table.js";
import { checkDatabase, checkFree, folderFiles } from "./source/folder.js";
import { type FileSource, readWhole } from "./source/source.js";
import type { OpenFiles } from "./state.js";

/** What a backup holds. */
export interface Backup {
  readonly tables: number;
  readonly logs: number;
  /** Of all files together. */
  readonly bytes: number;
}

/** Bytes of one read. */
const PIECE = 1024 * 1024;

/**
 * Copies a database into a folder that is missing or empty. A node may go on meanwhile: the copy then has every write
 * that was done before this began and of the later ones those up to some moment, each batch whole or not at all. It gets
 * its name when all files are written and synced. Files beside the database, blobs above all, are not part of it.
 *
 * @param onProgress called now and then with the bytes that are copied, and how many there are
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_EXISTS, DATABASE_DAMAGED, ENGINE_FAILED;
 *   FORMAT_UNSUPPORTED for databases with blob files or with tables in several folders
 */
export async function backupDatabase(
  path: string,
  target: string,
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<Backup> {
  checkDatabase(path);
  checkFree(target);
  const files = folderFiles(path);
  const opened = await settled(
    files,
    () => openComplete(path),
    () => false,
  );
  const made = join(dirname(target), `.${basename(target)}.backup-${randomBytes(4).toString("hex")}`);
  try {
    await mkdir(made, { recursive: true });
    const backup = await copyFiles(opened, made, onProgress);
    const copy = await readCatalog(folderFiles(made));
    const incomplete = await findIncompleteness(copy, (name) => opened.tables.get(name)?.size);
    if (incomplete !== undefined) throw incomplete;
    checkFree(target);
    renameSync(made, target);
    return backup;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw error;
  } finally {
    for (const source of opened.tables.values()) source.close();
  }
}

/** The files of one moment, of which none is missing. */
async function openComplete(path: string): Promise<OpenFiles> {
  const opened = await openCurrentFiles(folderFiles(path));
  const { catalog, tables } = opened;
  const [reason] = catalog.manifest.unsupported;
  const error =
    reason === undefined
      ? await findIncompleteness(catalog, (name) => tables.get(name)?.size)
      : unsupported(catalog.files.where(catalog.manifestName), reason);
  if (error === undefined) return opened;
  for (const source of tables.values()) source.close();
  throw error;
}

async function copyFiles(
  { catalog, tables, logs }: OpenFiles,
  target: string,
  onProgress: (done: number, all: number) => void,
): Promise<Backup> {
  const whole = logs.map(({ number, bytes }) => ({
    name: logName(number),
    bytes: withoutTail(bytes, number),
  }));
  const small = [...whole, ...(await smallFiles(catalog))];
  const all = [...tables.values(), ...small.map(({ bytes }) => ({ size: bytes.length }))].reduce(
    (sum, { size }) => sum + size,
    0,
  );
  let done = 0;
  const copied = (bytes: number): void => {
    done += bytes;
    onProgress(done, all);
  };
  for (const [name, source] of tables) await copyTable(source, join(target, name), copied);
  for (const { name, bytes } of small) {
    await writeSynced(join(target, name), (file) => file.appendFile(bytes));
    copied(bytes.length);
  }
  return { tables: tables.size, logs: logs.length, bytes: all };
}

/** CURRENT comes last: without it there is no database. */
async function smallFiles(
  catalog: Catalog,
): Promise<{ readonly name: string; readonly bytes: Uint8Array }[]> {
  const { files, manifestName, manifestLength, optionsName } = catalog;
  const manifest = await readWhole(files, manifestName);
  if (manifest === undefined || manifest.length < manifestLength)
    throw new CatalogOutdated("the MANIFEST was replaced");
  const found = [{ name: manifestName, bytes: manifest.subarray(0, manifestLength) }];
  for (const name of [optionsName, "IDENTITY"]) {
    const bytes = name === undefined ? undefined : await readWhole(files, name);
    if (bytes !== undefined) found.push({ name: name as string, bytes });
  }
  return [...found, { name: "CURRENT", bytes: new TextEncoder().encode(`${manifestName}\n`) }];
}

/** A log without a last record that is not whole: its writer is in the middle of it. */
function withoutTail(bytes: Uint8Array, number: number): Uint8Array {
  const { end } = readLog(bytes, number);
  return end.kind === "torn" ? bytes.subarray(0, end.offset) : bytes;
}

async function copyTable(source: FileSource, path: string, copied: (bytes: number) => void): Promise<void> {
  await writeSynced(path, async (file) => {
    for (let offset = 0; offset < source.size; offset += PIECE) {
      const length = Math.min(PIECE, source.size - offset);
      await file.appendFile(await source.read(offset, new Uint8Array(length)));
      copied(length);
    }
  });
}

async function writeSynced(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const file = await open(path, "wx");
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof MerostoreError) throw error;
    throw new MerostoreError("ENGINE_FAILED", `${path} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
