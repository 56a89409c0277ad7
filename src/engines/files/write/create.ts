/** Creating a database without RocksDB. */

import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../../disk/access.js";
import { makeDatabaseFolder } from "../../../disk/new-folder.js";
import { syncFolder } from "../../../disk/sync-folder.js";
import { encodeNewColumnEdit, encodeNumbersEdit } from "../../../lsm/format/encode-manifest.js";
import { setCurrent, writeManifest } from "./manifest.js";

/**
 * Creates an empty database in a folder that is missing or empty.
 *
 * @param columns names of the column families, `default` first
 * @returns the folder, with links resolved
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, INVALID_ARGUMENT, ENGINE_FAILED
 */
export async function createFiles(path: string, columns: readonly string[]): Promise<string> {
  const folder = await makeDatabaseFolder(path);
  writeFileSync(join(folder, "LOCK"), "", { mode: PRIVATE_FILE });
  writeFileSync(join(folder, "IDENTITY"), randomUUID(), { mode: PRIVATE_FILE });
  const edits = columns.map((name, id) => encodeNewColumnEdit(id, name));
  await writeManifest(folder, 1, PRIVATE_FILE, new Uint8Array(0), [...edits, encodeNumbersEdit(2, 0)]);
  await setCurrent(folder, 1, PRIVATE_FILE);
  await syncFolder(folder);
  return folder;
}
