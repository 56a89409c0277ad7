/** Creating a database without RocksDB. */

import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../../disk/access.js";
import { checkFree } from "../../../disk/folder.js";
import { makeDatabaseFolder } from "../../../disk/new-folder.js";
import { realPath } from "../../../disk/outside.js";
import { syncFolder, withMessage } from "../../../disk/sync-folder.js";
import { encodeNewColumnEdit, encodeNumbersEdit } from "../../../lsm/format/encode-manifest.js";
import { manifestFile, setCurrent, writeManifest } from "./manifest.js";

/** The number of the first MANIFEST, as of a database that RocksDB creates. */
const FIRST = 1;

/**
 * Creates an empty database in a folder that is missing or empty. If that fails, its files are removed.
 *
 * @param columns names of the column families, `default` first
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, INVALID_ARGUMENT, ENGINE_FAILED
 */
export async function createFiles(path: string, columns: readonly string[]): Promise<void> {
  checkFree(path);
  const folder = realPath(path);
  await makeDatabaseFolder(folder);
  await withMessage(`${path} cannot be created`, async () => {
    try {
      const options = { flag: "wx", mode: PRIVATE_FILE };
      await writeFile(join(folder, "LOCK"), "", options);
      await writeFile(join(folder, "IDENTITY"), randomUUID(), options);
      const edits = columns.map((name, id) => encodeNewColumnEdit(id, name));
      const numbers = encodeNumbersEdit(FIRST + 1, 0);
      await writeManifest(folder, FIRST, PRIVATE_FILE, new Uint8Array(0), [...edits, numbers]);
      await setCurrent(folder, FIRST, PRIVATE_FILE);
    } catch (error) {
      const exists = (error as NodeJS.ErrnoException).code === "EEXIST"; // another process creates it
      for (const name of exists ? [] : ["LOCK", "IDENTITY", manifestFile(FIRST)])
        await rm(join(folder, name), { force: true });
      throw error;
    }
    await syncFolder(folder);
  });
}
