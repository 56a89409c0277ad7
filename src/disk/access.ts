/** Modes of what is made here: a copy of a database is open to nobody but its owner. */

import { readdirSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";

/** The mode of folders that hold a private database, and of folders on the way to it that were missing. */
export const PRIVATE_FOLDER = 0o700;
/** The mode of private files. */
export const PRIVATE_FILE = 0o600;

/** Takes a folder and the files in it from everybody but their owner. Does nothing where the file system has no modes. */
export async function makePrivate(path: string): Promise<void> {
  try {
    for (const name of readdirSync(path)) await chmod(join(path, name), PRIVATE_FILE);
    await chmod(path, PRIVATE_FOLDER);
  } catch {
    // It stays as private as it was made.
  }
}
