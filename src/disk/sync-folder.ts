/** Making changes of folders durable, and failures of the file system with a message. */

import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { MerostoreError } from "../errors.js";

/** Makes the names of files in a folder durable. Windows has no such call: there it does nothing. */
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

/** {@link syncFolder} for a folder and those above it up to `last`. */
export async function syncFolders(path: string, last: string): Promise<void> {
  for (let at = path; ; at = dirname(at)) {
    await syncFolder(at);
    if (at === last || at === dirname(at)) return;
  }
}

/**
 * Runs work on files.
 *
 * @param what what has failed if the system refuses: the beginning of the message
 * @throws MerostoreError ENGINE_FAILED
 */
export async function withMessage<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MerostoreError("ENGINE_FAILED", `${what}: ${(error as Error).message}`, { cause: error });
  }
}
