/** Repair of the end of a MANIFEST after a power failure, before an engine opens it for writing. */

import { open } from "node:fs/promises";
import type { Catalog } from "../lsm/catalog/catalog.js";
import { withMessage } from "./sync-folder.js";

/**
 * Removes the end of a MANIFEST that never reached the disk; native engines refuse to open it. No writer has such a file
 * open: each begins a new one when it opens a database.
 *
 * @throws MerostoreError ENGINE_FAILED
 */
export async function cutManifest({
  files,
  manifestName,
  manifestLength,
  manifestEnd,
}: Catalog): Promise<void> {
  if (manifestEnd === manifestLength) return;
  const path = files.where(manifestName);
  await withMessage(`${path} cannot be truncated`, async () => {
    const file = await open(path, "r+");
    try {
      await file.truncate(manifestEnd);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}
