/** Opening the database in a folder, or in one of a web server, from its files. */

import { checkDatabase, folderFiles } from "../../disk/folder.js";
import { invalidArgument } from "../../errors.js";
import { readCatalog } from "../../lsm/catalog/catalog.js";
import { type StoredTable, storedTables } from "../../lsm/catalog/tables.js";
import { httpFiles, isHttpUrl } from "../../lsm/http/index.js";
import { checkOptions } from "../../options.js";
import type { FilesEngine } from "./files-engine.js";
import { openFiles } from "./open.js";
import { type ReadOptions, readOptions } from "./state.js";

/**
 * Opens the RocksDB database in a folder for reading, by its files alone, which is several times as fast as RocksDB's
 * native package. Nothing is written, locked or created; a running node may go on, and `refresh()` shows what it wrote.
 *
 * @param path the folder that holds CURRENT, or its URL: `https://example.org/backup/`, see {@link httpFiles}
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_DAMAGED, ENGINE_FAILED, INVALID_ARGUMENT, NETWORK_ERROR, LOG_MISSING;
 *   FORMAT_UNSUPPORTED for files that only RocksDB itself can read
 * @example
 *     await using engine = await openFilesEngine("node/data");
 *     for await (const rows of engine.scan("Meta").chunks()) console.log(rows.length);
 */
export async function openFilesEngine(path: string, options: ReadOptions = {}): Promise<FilesEngine> {
  if (typeof path !== "string" || path === "")
    throw invalidArgument("the path of a database must be a non-empty string");
  checkOptions("openFilesEngine", options, readOptions);
  if (isHttpUrl(path)) return openFiles(await httpFiles(path), options);
  checkDatabase(path);
  return openFiles(folderFiles(path), options);
}

/**
 * Reads how each table of a database is stored, by column family and level. Tables that are damaged or missing are left out.
 *
 * @param path a folder, or its URL, as `openFilesEngine` takes it
 * @throws MerostoreError DATABASE_NOT_FOUND, NOT_A_DATABASE, DATABASE_DAMAGED, ENGINE_FAILED, NETWORK_ERROR
 */
export async function readStoredTables(path: string): Promise<readonly StoredTable[]> {
  if (!isHttpUrl(path)) checkDatabase(path);
  const files = isHttpUrl(path) ? await httpFiles(path) : folderFiles(path);
  const found: StoredTable[] = [];
  for await (const table of storedTables(await readCatalog(files))) found.push(table);
  return found;
}
