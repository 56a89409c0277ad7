/** Syncs folders, shortens files, and adds messages to errors of the file system. */

import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOfSystem, MerostoreError } from "../errors.js";

/** Makes the names of files in a folder durable. Does nothing on Windows, which has no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await withMessage(`${path} cannot be synced`, async () => {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  });
}

/** {@link syncFolder} for a folder and its parents up to `last`. */
export async function syncFolders(path: string, last: string): Promise<void> {
  for (let at = path; ; at = dirname(at)) {
    await syncFolder(at);
    if (at === last || at === dirname(at)) return;
  }
}

/** Shortens a file durably, if it has the expected length. */
export async function shorten(path: string, length: number, expected?: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    if (expected !== undefined && (await file.stat()).size !== expected)
      throw new Error("its length has changed");
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Runs an operation on files and adds a message to its error.
 *
 * @param what the beginning of the message: the operation that failed
 * @throws MerostoreError ENGINE_FAILED, PERMISSION_DENIED
 */
export async function withMessage<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(what, error);
  }
}

/** The error of an operation on files. */
export function fileError(what: string, cause: unknown): MerostoreError {
  return new MerostoreError(codeOfSystem(cause), `${what}: ${(cause as Error).message}`, { cause });
}
