/** Writing MANIFESTs, and CURRENT, which names the one that counts. */

import { encodeRecord } from "../../../lsm/format/encode-log.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { NewFile } from "./new-file.js";

/** The name of a MANIFEST. */
export function manifestFile(number: number): string {
  return `MANIFEST-${String(number).padStart(6, "0")}`;
}

/** The name of the file that becomes CURRENT and names a MANIFEST. */
export function currentFile(number: number): string {
  return `${String(number).padStart(6, "0")}.dbtmp`;
}

/** Writes a new MANIFEST. */
export async function writeManifest(
  files: WritableFiles,
  number: number,
  edits: readonly Uint8Array[],
): Promise<void> {
  const file = await NewFile.create(files, manifestFile(number));
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
 * Lets CURRENT name a MANIFEST. All files that it leads to are on disk before. If it fails, CURRENT is as it was; if it does not, the
 * caller makes its name durable.
 */
export function setCurrent(files: WritableFiles, number: number): Promise<void> {
  const text = new TextEncoder().encode(`${manifestFile(number)}\n`);
  return files.replace("CURRENT", text, currentFile(number));
}
