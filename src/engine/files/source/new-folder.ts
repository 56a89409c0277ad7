/** Making a folder that gets its name only when it is complete. */

import { randomBytes } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { checkFree } from "./folder.js";
import { naming, syncFolder } from "./sync-folder.js";

/**
 * Has a folder made under a name beside `path` that begins with a dot. When `make` is done it is synced and called
 * `path`; when it fails nothing is left, neither of the folder nor of those on the way to it that were missing.
 *
 * @param path missing, or an empty folder, which is replaced
 * @param purpose what the folder is called until then: `.NAME.PURPOSE-…`
 * @throws MerostoreError DATABASE_EXISTS, NOT_A_DATABASE, ENGINE_FAILED, and what `make` throws
 */
export async function makeFolder<T>(
  path: string,
  purpose: string,
  make: (folder: string) => Promise<T>,
): Promise<T> {
  checkFree(path);
  const target = existsSync(path) ? realpathSync(path) : resolve(path);
  const parent = dirname(target);
  const made = join(parent, `.${basename(target)}.${purpose}-${randomBytes(4).toString("hex")}`);
  const first = await naming(`no folder can be made in ${parent}`, () => mkdir(made, { recursive: true }));
  try {
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
