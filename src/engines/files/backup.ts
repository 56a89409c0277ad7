/** Copies the files of a database, also beside a running node. */

import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { toHex } from "../../bytes/hex.js";
import { sha256, startSha256 } from "../../crypto/index.js";
import { PRIVATE_FILE } from "../../disk/access.js";
import { checkDatabase, folderFiles } from "../../disk/folder.js";
import { locationText, type PathOrUrl } from "../../disk/location.js";
import { makeFolder } from "../../disk/new-folder.js";
import { fileError } from "../../disk/sync-folder.js";
import { refuseLost } from "../../engine/lost.js";
import { isMerostoreError, type Warning } from "../../errors.js";
import { type Catalog, CatalogOutdated, MOST_BYTES, readManifestFile } from "../../lsm/catalog/catalog.js";
import { findIncompleteness, findMissingLogs } from "../../lsm/catalog/completeness.js";
import { currentOf, logName } from "../../lsm/catalog/file-names.js";
import { findUnsupported } from "../../lsm/catalog/find-unsupported.js";
import {
  checkUnchanged,
  closeLogs,
  type LogFile,
  type LogReplay,
  replayLogs,
} from "../../lsm/catalog/log-replay.js";
import { UnsupportedFormat } from "../../lsm/format/byte-cursor.js";
import { FILES_INDEX, type IndexedFile, writeFilesIndex } from "../../lsm/http/index.js";
import { type FileSet, type FileSource, readWhole } from "../../lsm/source.js";
import { checkOptions } from "../../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../../progress.js";
import { DoubtfulLoss, openBesideWriter, openCurrentFiles, openFiles } from "./open.js";
import { closeFiles, type OpenFiles } from "./state.js";

/** The content of a backup. */
export interface Backup {
  /** The number of copied table files. */
  readonly tables: number;
  /** The number of copied write-ahead logs. */
  readonly logs: number;
  /** The bytes of all files together. */
  readonly bytes: number;
  /**
   * A warning about an incomplete last write, as a killed writer leaves it, which the copy has too; and the reason if
   * the copy was not read through.
   */
  readonly warnings: readonly Warning[];
}

/** The bytes of one read. */
const PIECE = 1024 * 1024;

/**
 * Copies a database into a folder that is missing or empty. A node may run meanwhile. The copy then has all writes that
 * were done when this function was called, and the later writes up to some moment. It has each batch as a whole or not
 * at all. The folder gets its name when all files are written, synced and read through. It also contains
 * `merostore-files.json`, a list of its files for reading over HTTP. The copy does not include files beside the
 * database, such as blobs. A node that wrote after the copy must not continue from the copy: it may never again agree
 * with its peers. The complete folder and files have the modes of the database, so nobody else can read them.
 *
 * @param to not inside a database, also through links
 * @param options the progress counts the bytes of the copied files, then the bytes of the rows that are read through.
 *   Its total is twice the size of the files; the rows may have fewer bytes, or more if tables are compressed
 * @throws MerostoreError INVALID_ARGUMENT, DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_EXISTS, DATABASE_DAMAGED,
 *   LOG_MISSING, ENGINE_FAILED; FORMAT_UNSUPPORTED for databases with blob files, or with tables or logs in other
 *   folders
 */
export async function backupDatabase(
  source: PathOrUrl,
  to: PathOrUrl,
  options: ProgressOptions = {},
): Promise<Backup> {
  const path = locationText(source, "the path of a backup");
  const target = locationText(to, "the target of a backup");
  checkOptions("backupDatabase", options, progressOptions);
  const follower = new Follower(options, "bytes");
  checkDatabase(path);
  const original = folderFiles(path);
  return makeFolder(target, "backup", async (made) => {
    const opened = await openBesideWriter(original, (acceptLoss) => openComplete(original, made, acceptLoss));
    try {
      const copied = await copyFiles(opened, made, follower);
      follower.size = 2 * copied.bytes;
      const warnings = await readThrough(folderFiles(made, original.name), follower);
      follower.end();
      return { ...copied, warnings };
    } finally {
      closeFiles(opened);
    }
  });
}

/** A file that is copied from memory. */
interface SmallFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A copy without its tables and small files. */
interface Begun extends OpenFiles {
  readonly small: readonly SmallFile[];
  /** The logs that were copied. */
  readonly copiedLogs: readonly IndexedFile[];
}

/**
 * Opens the complete files of one moment, and copies the logs at once, because a writer may overwrite finished logs.
 * Open tables do not change.
 */
async function openComplete(original: FileSet, made: string, acceptLoss: boolean): Promise<Begun> {
  const opened = await openCurrentFiles(original);
  try {
    const { catalog, tables, logs } = opened;
    const beyond = findUnsupported(catalog);
    if (beyond !== undefined) throw beyond;
    const incomplete = await findIncompleteness(catalog, (name) => tables.get(name)?.size);
    const lacking = incomplete ?? findMissingLogs(catalog);
    if (lacking !== undefined) throw lacking;
    const small = await smallFiles(opened);
    const copiedLogs = await copyLogs(opened, made);
    const { loss, gaps } = await readCopied(catalog, copiesOf(logs, made));
    const missing = findMissingLogs(catalog, gaps);
    if (missing !== undefined) throw missing;
    if (loss !== undefined && !acceptLoss) throw new DoubtfulLoss();
    return { ...opened, small, copiedLogs };
  } catch (error) {
    closeFiles(opened);
    for (const name of await readdir(made)) await rm(join(made, name));
    throw error;
  }
}

async function copyLogs({ catalog, logs }: OpenFiles, made: string): Promise<readonly IndexedFile[]> {
  const copied: IndexedFile[] = [];
  for (const log of logs) {
    const name = logName(log.number);
    try {
      const hash = await copyLarge(log.source, join(made, name));
      copied.push({ name, size: log.source.size, sha256: hash });
    } catch (error) {
      await checkUnchanged(catalog.files, log);
      throw error;
    }
  }
  return copied;
}

/** The copies of logs, open. */
function copiesOf(logs: readonly LogFile[], made: string): readonly LogFile[] {
  const files = folderFiles(made);
  return logs.map(({ number }) => ({ number, source: files.open(logName(number)) as FileSource }));
}

/** @throws CatalogOutdated if a writer may have written over a log before it was copied */
async function readCopied(catalog: Catalog, logs: readonly LogFile[]): Promise<Partial<LogReplay>> {
  try {
    return await replayLogs(catalog, logs, () => () => undefined);
  } catch (error) {
    if (!(error instanceof UnsupportedFormat)) throw error;
    for (const log of logs) await checkUnchanged(catalog.files, log);
    return {}; // copied as it is; the read-through reports it
  } finally {
    closeLogs(logs);
  }
}

/** The files beside tables and logs. CURRENT is copied last: a folder without it does not open. */
async function smallFiles({ catalog }: OpenFiles): Promise<readonly SmallFile[]> {
  const { files, manifestName, manifestLength, manifestEnd, optionsName } = catalog;
  const found: SmallFile[] = [];
  const manifest = await readManifestFile(files, manifestName);
  if (manifest === undefined || manifest.length < manifestLength)
    throw new CatalogOutdated("the MANIFEST was replaced");
  found.push({ name: manifestName, bytes: manifest.subarray(0, manifestEnd) });
  for (const [name, most] of [
    [optionsName, MOST_BYTES.options],
    ["IDENTITY", MOST_BYTES.identity],
  ] as const) {
    const bytes = name === undefined ? undefined : await readWhole(files, name, most);
    if (bytes !== undefined) found.push({ name: name as string, bytes });
  }
  return [...found, { name: "CURRENT", bytes: currentOf(manifestName) }];
}

async function copyFiles(
  { tables, logs, small, copiedLogs }: Begun,
  target: string,
  follower: Follower,
): Promise<Omit<Backup, "warnings">> {
  const index: IndexedFile[] = small.map(({ name, bytes }) => ({
    name,
    size: bytes.length,
    sha256: toHex(sha256(bytes)),
  }));
  index.push(...copiedLogs);
  const sum = (sizes: readonly { readonly size: number }[]) =>
    sizes.reduce((total, { size }) => total + size, 0);
  const all = sum(index) + sum([...tables.values()]);
  follower.size = 2 * all;
  follower.add(sum(copiedLogs));
  const copied = (bytes: number): void => follower.add(bytes);
  for (const [name, source] of tables) {
    const hash = await copyLarge(source, join(target, name), copied);
    index.push({ name, size: source.size, sha256: hash });
  }
  const list = { name: FILES_INDEX, bytes: writeFilesIndex(index) };
  for (const { name, bytes } of [list, ...small]) {
    await writeSynced(join(target, name), (file) => file.writeFile(bytes));
    if (name !== FILES_INDEX) copied(bytes.length);
  }
  return { tables: tables.size, logs: logs.length, bytes: all + list.bytes.length };
}

/** Copies a table or a log. Returns the SHA-256 of its content, 64 hex digits. */
async function copyLarge(
  source: FileSource,
  path: string,
  copied: (bytes: number) => void = () => undefined,
): Promise<string> {
  const hash = startSha256();
  await writeSynced(path, async (file) => {
    for (let offset = 0; offset < source.size; offset += PIECE) {
      const length = Math.min(PIECE, source.size - offset);
      const piece = await source.read(offset, new Uint8Array(length));
      hash.update(piece);
      await file.writeFile(piece);
      copied(length);
    }
  });
  return toHex(hash.digest());
}

async function writeSynced(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const file = await open(path, "wx", PRIVATE_FILE);
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error; // not of the system: its message is complete
    throw fileError(`${path} cannot be written`, error);
  }
}

/**
 * Reads every row to find damage. Files that only other programs can read are not read, and a warning says so.
 *
 * @param files the copy, with the name of the original in messages: damage in the copy was in the original
 */
async function readThrough(files: FileSet, follower: Follower): Promise<readonly Warning[]> {
  try {
    await using engine = await openFiles(files, { cacheBytes: 0 });
    for (const column of engine.columns) {
      for await (const rows of engine.scan(column).chunks()) {
        follower.add(rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0));
      }
    }
    refuseLost(engine);
    return engine.warnings;
  } catch (error) {
    if (!isMerostoreError(error, "FORMAT_UNSUPPORTED")) throw error;
    return [{ code: "COPY_UNREAD", message: `the copy was not read through: ${error.message}` }];
  }
}
