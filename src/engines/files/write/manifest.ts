/** Writing MANIFESTs, and CURRENT, which names the one that counts. */

import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../../disk/sync-folder.js";
import { encodeRecord } from "../../../lsm/format/encode-log.js";

/** Bytes that are written at once. */
const PIECE = 1024 * 1024;

/** The name of a MANIFEST. */
export function manifestFile(number: number): string {
  return `MANIFEST-${String(number).padStart(6, "0")}`;
}

/**
 * Writes a new MANIFEST: the records of an earlier one, and more edits.
 *
 * @param before all whole records of the earlier one
 */
export async function writeManifest(
  folder: string,
  number: number,
  mode: number,
  before: Uint8Array,
  edits: readonly Uint8Array[],
): Promise<void> {
  const pieces = [before];
  let end = before.length;
  for (const edit of edits) {
    const record = encodeRecord(edit, end);
    pieces.push(record);
    end += record.length;
  }
  await writeSynced(join(folder, manifestFile(number)), mode, pieces);
}

/**
 * Lets CURRENT name a MANIFEST. All files that it leads to are on disk before. If it fails, CURRENT is as it was; if it does not, the
 * caller syncs the folder.
 */
export async function setCurrent(folder: string, number: number, mode: number): Promise<void> {
  const temporary = join(folder, `${String(number).padStart(6, "0")}.dbtmp`);
  try {
    await writeSynced(temporary, mode, [new TextEncoder().encode(`${manifestFile(number)}\n`)]);
    await syncFolder(folder);
    await rename(temporary, join(folder, "CURRENT"));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a new file and syncs it. Returns what the iteration of its pieces returns. */
export async function writeSynced<T>(
  path: string,
  mode: number,
  pieces: Iterable<Uint8Array, T>,
): Promise<T> {
  const file = await open(path, "wx", mode);
  let isWhole = false;
  try {
    const iterator = pieces[Symbol.iterator]();
    let waiting: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const next = iterator.next();
      if (next.done !== true) {
        waiting.push(next.value);
        bytes += next.value.length;
      }
      if (bytes >= PIECE || next.done === true) {
        await file.writeFile(Buffer.concat(waiting));
        waiting = [];
        bytes = 0;
      }
      if (next.done === true) {
        await file.sync();
        isWhole = true;
        return next.value;
      }
    }
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}
