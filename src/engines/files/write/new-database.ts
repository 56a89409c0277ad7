/** Writes the files of an empty database. */

import { logName, manifestName, temporaryName } from "../../../lsm/catalog/file-names.js";
import { encodeNewColumnEdit, encodeNumbersEdit } from "../../../lsm/format/encode-manifest.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { setCurrent, writeManifest } from "./manifest.js";

/**
 * The number of the first log, which stays empty. As in a database that RocksDB created, its absence shows that logs
 * are missing.
 */
const FIRST_LOG = 1;
/** The number of the first MANIFEST. */
const FIRST = 2;

/** The files that a creation writes before CURRENT. None of them has rows. */
export const BEFORE_CURRENT = [
  "LOCK",
  "IDENTITY",
  logName(FIRST_LOG),
  manifestName(FIRST),
  temporaryName(FIRST),
];

/**
 * Writes the files of an empty database. If it fails, it removes them, but no file that was there before.
 *
 * @param columns names of the column families, `default` first
 * @throws MerostoreError ENGINE_FAILED
 */
export async function writeDatabase(files: WritableFiles, columns: readonly string[]): Promise<void> {
  const made: string[] = [];
  const create = async (name: string, text: string): Promise<void> => {
    const file = await files.create(name);
    made.push(name);
    try {
      await file.write(new TextEncoder().encode(text), 0);
    } finally {
      await file.close();
    }
  };
  try {
    await create("LOCK", "");
    await create("IDENTITY", crypto.randomUUID());
    await create(logName(FIRST_LOG), "");
    const edits = columns.map((name, id) => encodeNewColumnEdit(id, name));
    await writeManifest(files, FIRST, [...edits, encodeNumbersEdit(FIRST + 1, 0, columns.length - 1)]);
    made.push(manifestName(FIRST));
    await setCurrent(files, FIRST);
  } catch (error) {
    // If CURRENT could not be removed, the database is complete.
    if (!(await mayHaveCurrent(files)))
      for (const name of made) await files.remove(name).catch(() => undefined);
    throw error;
  }
  await files.syncNames();
}

async function mayHaveCurrent(files: WritableFiles): Promise<boolean> {
  try {
    return (await files.list()).includes("CURRENT");
  } catch {
    return true;
  }
}
