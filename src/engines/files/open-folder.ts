/** Opening the database in a folder, or in one of a web server, from its files. */

import { checkDatabase, folderFiles } from "../../disk/folder.js";
import { invalidArgument } from "../../errors.js";
import { type HttpOptions, httpFiles, isHttpUrl } from "../../lsm/http/index.js";
import { checkOptions, isFlag, type OptionChecks } from "../../options.js";
import type { FilesEngine } from "./files-engine.js";
import { openFiles } from "./open.js";
import { type ReadOptions, readOptions } from "./state.js";

/** Options of {@link openFilesEngine}. */
export interface FolderOptions extends ReadOptions, Pick<HttpOptions, "acceptLogLoss"> {}

const folderOptions: OptionChecks<FolderOptions> = { ...readOptions, acceptLogLoss: isFlag };

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
export async function openFilesEngine(path: string, given: FolderOptions = {}): Promise<FilesEngine> {
  if (typeof path !== "string" || path === "")
    throw invalidArgument("the path of a database must be a non-empty string");
  checkOptions("openFilesEngine", given, folderOptions);
  const { acceptLogLoss, ...options } = given;
  if (isHttpUrl(path)) return openFiles(await httpFiles(path, { acceptLogLoss }), options);
  if (acceptLogLoss)
    throw invalidArgument("acceptLogLoss is for a folder on a web server, or for opening to write");
  checkDatabase(path);
  return openFiles(folderFiles(path), options);
}
