/** Opens the database in a folder, or in a folder on a web server, from its files. */

import { checkDatabase, folderFiles } from "../../disk/folder.js";
import { absoluteLocation, locationText, type PathOrUrl } from "../../disk/location.js";
import { type CreateOptions, checkAccess } from "../../engine/arguments.js";
import { invalidArgument } from "../../errors.js";
import { readCatalog } from "../../lsm/catalog/catalog.js";
import { retryWhileWritten } from "../../lsm/catalog/retry.js";
import {
  type StoredLog,
  type StoredTable,
  storedLogs,
  storedTables,
} from "../../lsm/catalog/stored-files.js";
import { httpFiles, isHttpUrl } from "../../lsm/http/index.js";
import type { FileSet } from "../../lsm/source.js";
import { checkOptions, isFlag, isList, isOneOf, type OptionChecks } from "../../options.js";
import type { FilesEngine } from "./files-engine.js";
import { openFiles } from "./open.js";
import { type ReadOptions, readOptions } from "./state.js";
import { createFiles } from "./write/create.js";
import { checkFamilyForms, type FamilyForms, isFamilyForms } from "./write/family-forms.js";
import { openForWriting } from "./write/open.js";

/** Options of {@link openFilesEngine}. */
export interface FilesEngineOptions extends Omit<ReadOptions, "acceptLogLoss">, CreateOptions {
  /**
   * Open a database although write-ahead logs are missing, without the rows that only they have; `warnings` says so. If
   * a log is damaged, copies and exports are possible without the writes after the damage, and opening for writing
   * drops these writes for good. `unfinished` accepts only a newest log that ends within its last write, as after the
   * kill of a writer. That incomplete write, which no reader shows, is cut off.
   */
  readonly acceptLogLoss?: boolean | "unfinished" | undefined;
  /**
   * Open for writing too, alone, without RocksDB. Batches go into a new write-ahead log, which RocksDB replays when it
   * opens the database, whatever the compression of its tables. `flush` writes the rows of logs into tables.
   */
  readonly writable?: boolean | undefined;
  /**
   * The form of new tables by column family: `{ State: { compression: "lz4", bloomBits: 12 } }`. For writing only. Like
   * RocksDB's options it is not stored: give it at each opening.
   */
  readonly families?: FamilyForms | undefined;
  /**
   * The caller promises that no node has the database open. Writing needs it on systems other than Linux, which do not
   * show whether a node has the database open. A node in another container is not detected either.
   */
  readonly nodeIsStopped?: boolean | undefined;
}

/** The checks of {@link FilesEngineOptions}. */
const filesEngineOptions: OptionChecks<FilesEngineOptions> = {
  ...readOptions,
  acceptLogLoss: isOneOf([true, false, "unfinished"]),
  writable: isFlag,
  create: isFlag,
  columns: isList,
  families: isFamilyForms,
  nodeIsStopped: isFlag,
};

/**
 * Opens the RocksDB database in a folder from its files alone, for reading unless `writable` is set. Reads are several
 * times as fast as with RocksDB's native package. Without `writable` nothing is written, locked or created: a node may
 * run meanwhile, and `refresh()` shows its later writes.
 *
 * @param location the folder with CURRENT, or its URL: `https://example.org/backup/`, see {@link httpFiles}
 * @throws MerostoreError DATABASE_LOCKED, LOG_DAMAGED, DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_DAMAGED,
 *   ENGINE_FAILED, INVALID_ARGUMENT, NETWORK_ERROR, LOG_MISSING; FORMAT_UNSUPPORTED for files that only RocksDB itself
 *   can read
 * @example
 *     await using engine = await openFilesEngine("node/data");
 *     for await (const rows of engine.scan("Meta").chunks()) console.log(rows.length);
 */
export async function openFilesEngine(
  location: PathOrUrl,
  options: FilesEngineOptions = {},
): Promise<FilesEngine> {
  const path = locationText(location);
  checkOptions("openFilesEngine", options, filesEngineOptions);
  const columns = checkAccess(options);
  const {
    create = false,
    columns: _,
    writable = create,
    nodeIsStopped = create, // a database that is created here has no node yet
    acceptLogLoss = false,
    families,
    ...rest
  } = options;
  if (families !== undefined && !writable)
    throw invalidArgument("the form of new tables is for writing: leave out families, or add writable: true");
  const reading = { ...rest, acceptLogLoss: acceptLogLoss === true };
  if (isHttpUrl(path)) {
    if (writable)
      throw invalidArgument("a database on a web server can only be read: leave out writable and create");
    return openFiles(await httpFiles(path), reading);
  }
  const place = columns === undefined ? path : absoluteLocation(path); // before the first `await`
  if (columns !== undefined) {
    checkFamilyForms(families, columns);
    await createFiles(place, columns);
  }
  checkDatabase(place);
  if (!writable) return openFiles(folderFiles(place), reading);
  return openForWriting(place, { ...reading, families }, { nodeIsStopped, acceptLogLoss });
}

/**
 * Reads the storage form of each table of a database, by column family and level. Damaged and missing tables are left
 * out.
 *
 * @param location a folder, or its URL, as `openFilesEngine` takes it
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_DAMAGED, ENGINE_FAILED, NETWORK_ERROR
 */
export async function readStoredTables(location: PathOrUrl): Promise<readonly StoredTable[]> {
  const found: StoredTable[] = [];
  for await (const table of storedTables(await readCatalog(await filesAt(location)))) found.push(table);
  return found;
}

/**
 * Returns the write-ahead logs that a database needs, oldest first, with the column families that need them.
 *
 * @param location a folder, or its URL, as `openFilesEngine` takes it
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_DAMAGED, FORMAT_UNSUPPORTED, ENGINE_FAILED,
 *   NETWORK_ERROR
 */
export async function readStoredLogs(location: PathOrUrl): Promise<readonly StoredLog[]> {
  const files = await filesAt(location);
  return retryWhileWritten(files, async () => storedLogs(await readCatalog(files)));
}

async function filesAt(location: PathOrUrl): Promise<FileSet> {
  const path = locationText(location);
  if (isHttpUrl(path)) return httpFiles(path);
  checkDatabase(path);
  return folderFiles(path);
}
