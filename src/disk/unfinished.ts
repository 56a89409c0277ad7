/**
 * Files and folders under construction have a name that identifies the process: `.NAME.PURPOSE-PLACE-PID-START-RANDOM`.
 * Leftovers of a killed process can therefore be distinguished from the work of a running one, and removed.
 */

import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { orUndefined } from "../errors.js";
import { FILES_INDEX } from "../lsm/http/index.js";
import { isDatabaseFile, isWriterLock } from "./folder.js";
import { hasProcessEnded, type ProcessIdentity, thisProcess } from "./process-identity.js";

const UNFINISHED =
  /^\..+\.(importing|copying|recovering|converting|backup|writing|exporting)-([0-9a-f]{8})-([0-9a-z]+)-([0-9a-z]+)-[0-9a-f]{8}$/;

/**
 * The work of a process that is not visible, for example in another container, counts as abandoned if nothing was
 * written for this long.
 */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * The operation: a folder of an import, a copy, a recovery, a conversion, a backup or an export to Parquet, a file of
 * an export.
 */
export type Purpose =
  | "importing"
  | "copying"
  | "recovering"
  | "converting"
  | "backup"
  | "writing"
  | "exporting";

/** Returns the temporary name of a file or folder that will be renamed to `name`. */
export function unfinishedName(name: string, purpose: Purpose): string {
  const random = randomBytes(4).toString("hex");
  const { place, pid, start } = thisProcess();
  return `.${name}.${purpose}-${place}-${pid.toString(36)}-${start.toString(36)}-${random}`;
}

/** The temporary paths of this process. */
const given = new Set<string>();

/** Returns a path with such a name. If the process ends with `process.exit` before it is renamed, it is removed. */
export function unfinishedPath(folder: string, name: string, purpose: Purpose): string {
  const path = join(folder, unfinishedName(name, purpose));
  if (given.size === 0) process.once("exit", removeGiven);
  given.add(path);
  return path;
}

function removeGiven(): void {
  // Another thread may still be adding files.
  for (const path of given) orUndefined(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
}

/**
 * Removes the leftovers of ended processes in `folder`, for any target name: the next backup may have another name.
 * Work of processes that may still be running stays. So does a folder with any file that such an operation does not
 * write.
 */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const found of namesIn(folder)) {
    const match = UNFINISHED.exec(found);
    if (match === null) continue;
    const [, purpose, place, pid, start] = match as unknown as [string, Purpose, string, string, string];
    const path = join(folder, found);
    const maker = { place, pid: Number.parseInt(pid, 36), start: Number.parseInt(start, 36) };
    try {
      if (isOurs(path, purpose) && hasEnded(maker, path)) await rm(path, { recursive: true, force: true });
    } catch {
      // Another process removes or owns it. The new file or folder does not depend on it.
    }
  }
}

function hasEnded(maker: ProcessIdentity, path: string): boolean {
  return hasProcessEnded(maker) ?? lastWritten(path) < Date.now() - ABANDONED_MS;
}

/** The most levels of folders in the copy of a node's home. Its configuration may name nested folders. */
const DEEPEST = 16;
/**
 * The entries of a copied home beside the files of databases: its configuration, and files of blobs, named in base58.
 */
const HOME_FILE = /^(config(\.original)?\.toml|[1-9A-HJ-NP-Za-km-z]{32,44}(\.tmp-\d{1,20}-\d{1,20})?)$/;

/**
 * Returns whether an engine that creates a database writes a file of this name, including its lock and a lock that is
 * being made.
 */
function isCreatedFile(name: string): boolean {
  return isDatabaseFile(name) || isWriterLock(name);
}

/** Returns whether a backup writes a file of this name. */
function isBackupFile(name: string): boolean {
  return isDatabaseFile(name) || name === FILES_INDEX || HOME_FILE.test(name);
}

/**
 * Returns whether the content matches the name: a folder with only files of a database, a node's home or Parquet, or a
 * file.
 */
function isOurs(path: string, purpose: Purpose): boolean {
  const found = lstatSync(path);
  if (purpose === "writing") return found.isFile();
  return found.isDirectory() && hasOnlyOurs(path, purpose, purpose === "backup" ? DEEPEST : 0);
}

function hasOnlyOurs(folder: string, purpose: Purpose, levels: number): boolean {
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    if (entry.isDirectory()) return levels > 0 && hasOnlyOurs(join(folder, entry.name), purpose, levels - 1);
    if (!entry.isFile()) return false;
    if (purpose === "exporting") return entry.name.endsWith(".parquet");
    return purpose === "backup" ? isBackupFile(entry.name) : isCreatedFile(entry.name);
  });
}

function lastWritten(path: string): number {
  const inside = lstatSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" })
    : [];
  const files = [path, ...inside.map((name) => join(path, name))];
  return files.reduce((last, file) => Math.max(last, lstatSync(file).mtimeMs), 0);
}

function namesIn(folder: string): readonly string[] {
  return orUndefined(() => readdirSync(folder)) ?? [];
}
