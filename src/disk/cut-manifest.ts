/** Repairs the end of a MANIFEST after a power failure. */

import { join } from "node:path";
import type { Warning } from "../errors.js";
import { type Catalog, manifestCut } from "../lsm/catalog/catalog.js";
import { shorten, withMessage } from "./sync-folder.js";

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
  await withMessage(`${path} cannot be truncated`, () =>
    shorten(join(folder, manifestName), manifestEnd, manifestLength),
  );
  return manifestCut(catalog);
}
