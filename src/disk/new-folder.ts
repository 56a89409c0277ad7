/** Creates a folder that gets its name only when it is complete. */

import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { makeFolders, PRIVATE_FOLDER } from "./access.js";
import { checkFree } from "./folder.js";
import { realPath } from "./outside.js";
import { syncFolder, syncFolders, withMessage } from "./sync-folder.js";
import { type Purpose, removeUnfinished, unfinishedPath } from "./unfinished.js";

/**
 * Creates a folder that only its owner may open, under a name beside `path` that begins with a dot. When `make` has
 * finished, the folder is synced and renamed to `path`. If `make` fails, the folder and its created parents are
 * removed. Leftovers of killed processes beside it are removed first.
 *
 * @param path a missing path, or an empty folder, which is replaced; not inside a database
 * @param purpose the operation that creates the folder
 * @throws MerostoreError INVALID_ARGUMENT, DATABASE_EXISTS, NOT_A_DATABASE, ENGINE_FAILED, and the errors of `make`
 */
export async function makeFolder<T>(
  path: string,
  purpose: Purpose,
  make: (folder: string) => Promise<T>,
): Promise<T> {
  checkFree(path);
  const target = realPath(path);
  const parent = dirname(target);
  const name = basename(target);
  await removeUnfinished(parent);
  const made = unfinishedPath(parent, name, purpose);
  const refused = `no folder can be created in ${parent}`;
  const first = await withMessage(refused, () => makeFolders(parent));
  try {
    await withMessage(refused, () => mkdir(made, { mode: PRIVATE_FOLDER }));
    const result = await make(made);
    await syncFolder(made);
    checkFree(target, path);
    await withMessage(`${path} cannot be replaced, choose a path that does not exist`, () =>
      rename(made, target),
    );
    await syncFolders(parent, first === undefined ? parent : dirname(first));
    return result;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (first !== undefined) await removeEmpty(parent, first);
    throw error;
  }
}

/**
 * Creates the folder of a new database, unless it is there, and syncs its name. Only its owner may open it.
 *
 * @param folder with links resolved
 * @throws MerostoreError ENGINE_FAILED
 */
export async function makeDatabaseFolder(folder: string): Promise<void> {
  const first = await withMessage(`${folder} cannot be created`, () => makeFolders(folder));
  if (first !== undefined) await syncFolders(folder, dirname(first));
}

/** Removes a folder and its parents up to `last`, as long as they are empty. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let at = folder; at.length >= last.length; at = dirname(at)) await rmdir(at);
  } catch {
    // The folder is not empty any more.
  }
}
