/** File modes of created files and folders: only the owner may open a copy of a database. */

import { readdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";

/** The mode of folders that hold a private database, and of missing parent folders. */
export const PRIVATE_FOLDER = 0o700;
/** The mode of private files. */
export const PRIVATE_FILE = 0o600;

/** Removes all access of other users to a folder and its files. Does nothing where the file system has no modes. */
export async function makePrivate(path: string): Promise<void> {
  try {
    for (const name of readdirSync(path)) await chmod(join(path, name), PRIVATE_FILE);
    await chmod(path, PRIVATE_FOLDER);
  } catch {
    // The file keeps the mode it was created with.
  }
}
