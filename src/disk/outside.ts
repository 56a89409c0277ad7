/** Keeping what is written out of the folders of databases, whatever links lead there. */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { MerostoreError } from "../errors.js";

/** The path without links, also of what is not there yet: then of the last folder on the way that is. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch (error) {
      if (at === dirname(at)) throw error;
      missing.unshift(basename(at));
    }
  }
}

/**
 * Throws INVALID_ARGUMENT if a path lies within the folder of a database.
 *
 * @param path where something is to be written, without links
 * @param given what the caller calls it
 */
export function checkOutsideDatabases(path: string, given: string): void {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (isDatabase(at))
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `${given} lies within the database ${at}: choose a place outside it`,
      );
    if (at === dirname(at)) return;
  }
}

/** A folder with CURRENT and a MANIFEST, of RocksDB or LevelDB. */
function isDatabase(folder: string): boolean {
  if (!existsSync(join(folder, "CURRENT"))) return false;
  try {
    return readdirSync(folder).some((name) => name.startsWith("MANIFEST-"));
  } catch {
    return true; // CURRENT is there, and nothing says that it is not one
  }
}
