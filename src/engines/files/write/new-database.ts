/** The files of an empty database. */

import { encodeNewColumnEdit, encodeNumbersEdit } from "../../../lsm/format/encode-manifest.js";
import type { WritableFiles } from "../../../lsm/writable-files.js";
import { currentFile, manifestFile, setCurrent, writeManifest } from "./manifest.js";

/** The number of the first MANIFEST, as of a database that RocksDB creates. */
const FIRST = 1;

/** The files that a creation writes before CURRENT. None of them has rows. */
export const BEFORE_CURRENT = ["LOCK", "IDENTITY", manifestFile(FIRST), currentFile(FIRST)];

/**
 * Writes the files of an empty database. If it fails, they are removed, but none that was there before.
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
    const edits = columns.map((name, id) => encodeNewColumnEdit(id, name));
    await writeManifest(files, FIRST, [...edits, encodeNumbersEdit(FIRST + 1, 0)]);
    made.push(manifestFile(FIRST));
    await setCurrent(files, FIRST);
  } catch (error) {
    // Where CURRENT could not be taken back, the database is whole.
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
