/** File modes of created files and folders: only the owner may open a copy of a database. */

import { readdirSync } from "node:fs";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The mode of folders that hold a private database, and of missing parent folders. */
export const PRIVATE_FOLDER = 0o700;
/** The mode of private files. */
export const PRIVATE_FILE = 0o600;

/**
 * Makes a folder and its missing parents, and returns the first of them; undefined if the folder existed. Node's own
 * recursive call never ends in a folder such as `/proc`, which always reports that the path is missing.
 */
export async function makeFolders(path: string, mode = PRIVATE_FOLDER): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    if (await isFolder(path)) return undefined;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
  }
  const first = await makeFolders(dirname(path), mode);
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
  return first ?? path;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Removes all access of other users to a folder and its files. Does nothing on file systems without modes. */
export async function makePrivate(path: string): Promise<void> {
  try {
    for (const name of readdirSync(path)) await chmod(join(path, name), PRIVATE_FILE);
    await chmod(path, PRIVATE_FOLDER);
  } catch {
    // The file keeps the mode it was created with.
  }
}
