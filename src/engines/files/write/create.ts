/** Creates a database without RocksDB. */

import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../../disk/access.js";
import { checkFree, isWriterLock } from "../../../disk/folder.js";
import { makeDatabaseFolder } from "../../../disk/new-folder.js";
import { realPath } from "../../../disk/outside.js";
import { withMessage } from "../../../disk/sync-folder.js";
import { removeUnfinished } from "../../../disk/unfinished.js";
import { WritableFolder } from "../../../disk/writable-folder.js";
import { takeWriterLock } from "../../../disk/writer-lock.js";
import { MerostoreError, orUndefined } from "../../../errors.js";
import { BEFORE_CURRENT, writeDatabase } from "./new-database.js";

/**
 * Creates an empty database in a folder that is missing or empty, or has only the files of an interrupted creation. If
 * it fails, its files are removed.
 *
 * @param columns names of the column families, `default` first
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, DATABASE_LOCKED, INVALID_ARGUMENT, ENGINE_FAILED
 */
export async function createFiles(path: string, columns: readonly string[]): Promise<void> {
  if (unfinished(path) === undefined) checkFree(path);
  const folder = realPath(path);
  await makeDatabaseFolder(folder);
  const what = `${path} cannot be created`;
  // The lock is made first and removed last. So a folder with only the lock and files of a creation is an unfinished
  // creation.
  const unlock = await withMessage(what, async () => takeWriterLock(folder));
  if (unlock === undefined)
    throw new MerostoreError(
      "DATABASE_LOCKED",
      `${path} is being created by another process, or by this one`,
    );
  try {
    const left = unfinished(folder);
    if (left === undefined) checkFree(path); // another process created it first
    await withMessage(what, async () => {
      for (const name of left ?? []) await rm(join(folder, name), { force: true });
      await removeUnfinished(folder);
      const access = { mode: PRIVATE_FILE, logsElsewhere: false };
      await writeDatabase(new WritableFolder(folder, path, access), columns);
    });
  } finally {
    unlock();
  }
}

/** Returns the files of an unfinished creation, without its lock; undefined if the folder has anything else. */
function unfinished(folder: string): readonly string[] | undefined {
  const found = orUndefined(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const names = found.filter((entry) => entry.isFile()).map(({ name }) => name);
  const others = names.filter((name) => !isWriterLock(name));
  const isOurs = names.length === found.length && others.every((name) => BEFORE_CURRENT.includes(name));
  return isOurs && others.length < names.length ? others : undefined;
}
