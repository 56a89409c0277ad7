/** Checks that output is not written into the folder of a database, even through links. */

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { invalidArgument } from "../errors.js";

/** Resolves the links of a path. If the path does not exist, the links of its last existing parent are resolved. */
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
 * @param path the target of the output, with links resolved
 * @param given the path as the caller named it
 */
export function checkOutsideDatabases(path: string, given: string): void {
  for (let at = dirname(path); ; at = dirname(at)) {
    if (isDatabase(at))
      throw invalidArgument(`${given} lies within the database ${at}: choose a path outside it`);
    if (at === dirname(at)) return;
  }
}

/** Returns whether a folder has CURRENT and a MANIFEST, of RocksDB or LevelDB. */
function isDatabase(folder: string): boolean {
  if (!existsSync(join(folder, "CURRENT"))) return false;
  try {
    return readdirSync(folder).some((name) => name.startsWith("MANIFEST-"));
  } catch {
    return true; // has CURRENT, and cannot be listed
  }
}
