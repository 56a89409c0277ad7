/** Making a folder that gets its name only when it is complete. */

import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PRIVATE_FOLDER } from "./access.js";
import { checkFree } from "./folder.js";
import { realPath } from "./outside.js";
import { naming, syncFolder } from "./sync-folder.js";
import { type Purpose, removeUnfinished, unfinishedName } from "./unfinished.js";

/**
 * Has a folder made under a name beside `path` that begins with a dot, which only its owner may open. When `make` is done
 * it is synced and called `path`; when it fails nothing is left, neither of the folder nor of those on the way to it that
 * were missing. What processes left that were killed while they made the same is removed first.
 *
 * @param path missing, or an empty folder, which is replaced; not within a database
 * @param purpose what the folder is made for
 * @throws MerostoreError INVALID_ARGUMENT, DATABASE_EXISTS, NOT_A_DATABASE, ENGINE_FAILED, and what `make` throws
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
  await removeUnfinished(parent, name);
  const made = join(parent, unfinishedName(name, purpose));
  const refused = `no folder can be made in ${parent}`;
  const first = await naming(refused, () => mkdir(parent, { recursive: true, mode: PRIVATE_FOLDER }));
  try {
    await naming(refused, () => mkdir(made, { mode: PRIVATE_FOLDER }));
    const result = await make(made);
    await syncFolder(made);
    checkFree(path);
    await naming(`${path} cannot be put in its place, choose one that is not there yet`, () =>
      rename(made, target),
    );
    await syncFolder(parent);
    return result;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (first !== undefined) await removeEmpty(parent, first);
    throw error;
  }
}

/** Removes a folder and those above it, up to `last`, as long as they are empty. */
async function removeEmpty(folder: string, last: string): Promise<void> {
  try {
    for (let at = folder; at.length >= last.length; at = dirname(at)) await rmdir(at);
  } catch {
    // Something else has come to lie there: it stays.
  }
}
