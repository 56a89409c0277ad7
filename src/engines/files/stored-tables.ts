/** Lists the tables of a database as they are stored, for people. */

import { checkDatabase, folderFiles } from "../../disk/folder.js";
import { readCatalog } from "../../lsm/catalog/catalog.js";
import { type StoredTable, storedTables } from "../../lsm/catalog/tables.js";
import { httpFiles, isHttpUrl } from "../../lsm/http/index.js";

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
