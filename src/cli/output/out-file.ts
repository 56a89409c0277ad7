/** Files that commands write. */
import { accessSync, constants, createWriteStream, type Stats, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { PRIVATE_FILE } from "../../disk/access.js";
import { checkOutsideDatabases, realPath } from "../../disk/outside.js";
import { removeUnfinished, unfinishedPath } from "../../disk/unfinished.js";
import { invalidArgument, MerostoreError, orUndefined } from "../../errors.js";

/** Refuses a path at which no file can be made, before any work. */
export function checkOut(path: string): void {
  const folder = dirname(path);
  if (kindOf(folder)?.isDirectory() !== true)
    throw invalidArgument(`there is no folder ${folder}: make it first`);
  checkOutsideDatabases(join(realPath(folder), basename(path)), path);
  const found = kindOf(path);
  if (found !== undefined && !found.isFile()) {
    const what = found.isDirectory() ? "a folder" : "not a file";
    throw invalidArgument(`${path} is ${what}: name the file to write, or leave out --out`);
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw notWritten(path, error as Error);
  }
}

/** The kind of file at a path; undefined if absent, also if a part of the path is a file. */
function kindOf(path: string): Stats | undefined {
  return orUndefined(() => statSync(path));
}

/**
 * Writes a file beside `path` that gets its name when it is complete and synced. An existing file stays until then.
 * Only its owner may read it: the content of a database is private, secrets or not.
 *
 * @param mayReplace asked when the new file is complete: returns whether it may replace an existing file; by default it
 *   may
 * @returns false if the existing file was kept and the new one removed
 */
export async function writeOut(
  path: string,
  streams: readonly (Readable | Transform)[],
  mayReplace: () => boolean = () => true,
): Promise<boolean> {
  const folder = dirname(path);
  const name = basename(path);
  await removeUnfinished(folder);
  const made = unfinishedPath(folder, name, "writing");
  try {
    await pipeline([...streams, createWriteStream(made, { flags: "wx", mode: PRIVATE_FILE, flush: true })]);
    if (kindOf(path) !== undefined && !mayReplace()) {
      await rm(made, { force: true });
      return false;
    }
    await rename(made, path);
    return true;
  } catch (error) {
    await rm(made, { force: true });
    if (!isSystemError(error)) throw error; // the source of the content failed
    throw notWritten(path, error);
  }
}

function notWritten(path: string, cause: Error): MerostoreError {
  return new MerostoreError("ENGINE_FAILED", `${path} cannot be written: ${cause.message}`, { cause });
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
