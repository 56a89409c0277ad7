/** Writes MANIFESTs, and CURRENT, which names the valid one. */

import { currentOf, manifestName, temporaryName } from "../../../lsm/catalog/file-names.js";
import { encodeRecord } from "../../../lsm/format/encode-log.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { NewFile } from "./new-file.js";

/** Writes a new MANIFEST. */
export async function writeManifest(
  files: WritableFiles,
  number: number,
  edits: readonly Uint8Array[],
): Promise<void> {
  const file = await NewFile.create(files, manifestName(number));
  try {
    let end = 0;
    for (const edit of edits) {
      const record = encodeRecord(edit, end);
      await file.append(record);
      end += record.length;
    }
    await file.finish();
  } finally {
    await file.abandon();
  }
}

/**
 * Lets CURRENT name a MANIFEST. All files that the MANIFEST names are on disk before. If this fails, CURRENT is
 * unchanged. If it succeeds, the caller makes the name of CURRENT durable.
 */
export function setCurrent(files: WritableFiles, number: number): Promise<void> {
  return files.replace("CURRENT", currentOf(manifestName(number)), temporaryName(number));
}
