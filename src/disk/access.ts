/** Who may read a database: a copy of one must not be open to more people than the database itself. */

import { readdirSync, statSync } from "node:fs";
import { chmod, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDatabaseFile } from "./folder.js";

/** The mode of folders that hold a private database, from their making on. */
export const PRIVATE_FOLDER = 0o700;
/** The mode of private files. */
export const PRIVATE_FILE = 0o600;

/** What others than its owner may do with a database. */
export interface Access {
  /** Mode of the folder, its bits for the group and for all others. */
  readonly folder: number;
  /** What these may do with each of the files, as the bits of a mode. */
  readonly files: number;
  /** The group; undefined where there is nothing for it. */
  readonly group: number | undefined;
}

/** Nobody but the owner may do anything. */
export const NO_ACCESS: Access = { folder: 0, files: 0, group: undefined };

/** The access that a database gives. */
export function accessOf(path: string): Access {
  const { mode, gid } = statSync(path);
  let files = 0o066;
  for (const name of readdirSync(path).filter(isDatabaseFile))
    files &= statSync(join(path, name), { throwIfNoEntry: false })?.mode ?? files;
  return { folder: mode & 0o077, files, group: gid };
}

/**
 * Gives a folder and the files in it this access. A folder of another group gives its group what the database gave
 * everybody. Where the file system has no modes, it does nothing.
 */
export async function setAccess(path: string, access: Access): Promise<void> {
  const sameGroup = (await stat(path)).gid === access.group;
  const bits = (mode: number) => (sameGroup ? mode : mode & (((mode & 0o007) << 3) | 0o007));
  try {
    for (const name of readdirSync(path)) await chmod(join(path, name), PRIVATE_FILE | bits(access.files));
    await chmod(path, PRIVATE_FOLDER | bits(access.folder));
  } catch {
    // It stays as private as it was made.
  }
}
