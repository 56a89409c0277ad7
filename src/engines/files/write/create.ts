/** Creating a database without RocksDB. */

import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../../disk/access.js";
import { checkFree, isWriterLock } from "../../../disk/folder.js";
import { makeDatabaseFolder } from "../../../disk/new-folder.js";
import { realPath } from "../../../disk/outside.js";
import { syncFolder, withMessage } from "../../../disk/sync-folder.js";
import { removeUnfinished } from "../../../disk/unfinished.js";
import { takeWriterLock } from "../../../disk/writer-lock.js";
import { MerostoreError, orUndefined } from "../../../errors.js";
import { encodeNewColumnEdit, encodeNumbersEdit } from "../../../lsm/format/encode-manifest.js";
import { currentFile, manifestFile, setCurrent, writeManifest } from "./manifest.js";

/** The number of the first MANIFEST, as of a database that RocksDB creates. */
const FIRST = 1;

/** The files that a creation writes before CURRENT. None of them has rows. */
const BEFORE_CURRENT = ["LOCK", "IDENTITY", manifestFile(FIRST), currentFile(FIRST)];

/**
 * Creates an empty database in a folder that is missing or empty, or that has only what a killed creation left. If it fails, its files are
 * removed.
 *
 * @param columns names of the column families, `default` first
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, DATABASE_LOCKED, INVALID_ARGUMENT, ENGINE_FAILED
 */
export async function createFiles(path: string, columns: readonly string[]): Promise<void> {
  if (unfinished(path) === undefined) checkFree(path);
  const folder = realPath(path);
  await makeDatabaseFolder(folder);
  const what = `${path} cannot be created`;
  // The lock comes first and goes last: a folder that has it, and nothing but the files of a creation, is one that was not finished.
  const unlock = await withMessage(what, async () => takeWriterLock(folder));
  if (unlock === undefined)
    throw new MerostoreError(
      "DATABASE_LOCKED",
      `${path} is being created by another process, or by this one`,
    );
  try {
    const left = unfinished(folder);
    if (left === undefined) checkFree(path); // another process was faster
    await withMessage(what, async () => {
      for (const name of left ?? []) await rm(join(folder, name), { force: true });
      await removeUnfinished(folder);
      await writeFiles(folder, columns);
    });
  } finally {
    unlock();
  }
}

/** Returns the files of a creation that was not finished, beside its lock; undefined if the folder is anything else. */
function unfinished(folder: string): readonly string[] | undefined {
  const found = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  const others = names.filter((name) => !isWriterLock(name));
  const isOurs = names.length === found.length && others.every((name) => BEFORE_CURRENT.includes(name));
  return isOurs && others.length < names.length ? others : undefined;
}

async function writeFiles(folder: string, columns: readonly string[]): Promise<void> {
  try {
    const options = { flag: "wx", mode: PRIVATE_FILE };
    await writeFile(join(folder, "LOCK"), "", options);
    await writeFile(join(folder, "IDENTITY"), randomUUID(), options);
    const edits = columns.map((name, id) => encodeNewColumnEdit(id, name));
    const numbers = encodeNumbersEdit(FIRST + 1, 0);
    await writeManifest(folder, FIRST, PRIVATE_FILE, [...edits, numbers]);
    await setCurrent(folder, FIRST, PRIVATE_FILE);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST"; // another program creates it
    for (const name of exists ? [] : BEFORE_CURRENT) await rm(join(folder, name), { force: true });
    throw error;
  }
  await syncFolder(folder);
}
