/** Repairs the end of a MANIFEST after a power failure. */

import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Warning } from "../errors.js";
import { type Catalog, manifestCut } from "../lsm/catalog/catalog.js";
import { withMessage } from "./sync-folder.js";

/**
 * Removes the end of a MANIFEST that never reached the disk. Call it only after a native engine has had the lock of the
 * database and refused the MANIFEST, so no running writer has the file open.
 *
 * @param folder the folder of the database
 * @returns a warning that names the file and the removed bytes
 * @throws MerostoreError ENGINE_FAILED, also if the file has another length than in the catalog
 */
export async function cutManifest(folder: string, catalog: Catalog): Promise<Warning> {
  const { files, manifestName, manifestLength, manifestEnd } = catalog;
  const path = files.where(manifestName);
  await withMessage(`${path} cannot be truncated`, async () => {
    const file = await open(join(folder, manifestName), "r+");
    try {
      if ((await file.stat()).size !== manifestLength) throw new Error("its length has changed");
      await file.truncate(manifestEnd);
      await file.sync();
    } finally {
      await file.close();
    }
  });
  return manifestCut(catalog);
}
