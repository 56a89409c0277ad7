/** Finds the folder of a database at the typed path or near it. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type NodeHome, nodeHome, nodeHomeOf } from "../../blobs/index.js";
import { nearest } from "../../bytes/nearest.js";
import { databaseIn, holdsRows, isRocksBackup } from "../../disk/folder.js";
import { kindOfLocation } from "../arguments/location.js";

/** The names of a node's folders in its home. */
const DATA = "data";
const BLOBS = "blobs";

/** The most folders in the search for a database near a path. */
const LOOKED_AT = 1_000;

/** The location of a database: the typed folder or URL itself, or the database in a node's home. */
export function databaseFolder(path: string): string {
  return homeAt(path)?.data ?? path;
}

/** The typed home of a node: a folder with `config.toml`, or with `data` and `blobs`; undefined for other locations. */
export function homeAt(path: string): NodeHome | undefined {
  if (kindOfLocation(path) === "server" || isDatabase(path)) return undefined;
  const home = nodeHome(path);
  if (home !== undefined) return home;
  const [data, blobs] = [join(path, DATA), join(path, BLOBS)];
  // A database that lost its file CURRENT can be recovered.
  if (!isFolder(blobs) || !(isDatabase(data) || (isFolder(data) && holdsRows(data)))) return undefined;
  return { path, config: undefined, data, blobs, encrypts: false };
}

/** The folder of the blob files of the node whose database or home was typed; undefined if absent. */
export function blobsOf(typed: string): string | undefined {
  if (kindOfLocation(typed) === "server") return undefined;
  const home = homeAt(typed);
  if (home === undefined) return blobsBeside(databaseFolder(typed));
  return isFolder(home.blobs) ? home.blobs : undefined;
}

/** The folder of the node's blob files, beside its database or where its configuration says; undefined if absent. */
export function blobsBeside(database: string): string | undefined {
  if (kindOfLocation(database) === "server") return undefined;
  const blobs = nodeHomeOf(database)?.blobs ?? join(dirname(database), BLOBS);
  return isFolder(blobs) ? blobs : undefined;
}

/**
 * Finds a database near a path without one, which the user may have meant: inside, above, or beside it under a name like
 * its own. Undefined if a direct subfolder is a database, which the error already names, for a database that lost its
 * file CURRENT, and for backups of RocksDB.
 */
export function databaseNear(path: string): string | undefined {
  if (kindOfLocation(path) === "server" || databaseIn(path) !== undefined) return undefined;
  if (holdsRows(databaseFolder(path)) || isRocksBackup(path)) return undefined;
  const [inside] = databasesIn(path);
  if (inside !== undefined) return databaseFolder(join(path, inside));
  const parent = dirname(path);
  const above = databaseFolder(parent);
  if (isDatabase(above)) return above;
  const [beside] = nearest(basename(path), databasesIn(parent), 1);
  return beside && databaseFolder(join(parent, beside));
}

/** The names of the folders in a folder that are databases or homes of nodes. */
function databasesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .slice(0, LOOKED_AT)
      .map(({ name }) => name)
      .filter((name) => isDatabase(databaseFolder(join(folder, name))))
      .sort();
  } catch {
    return []; // no folder, or not readable
  }
}

function isDatabase(path: string): boolean {
  return existsSync(join(path, "CURRENT"));
}

function isFolder(path: string): boolean {
  return kindOfLocation(path) === "folder";
}
