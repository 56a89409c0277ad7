/** Making changes of folders durable, and naming what fails in their course. */

import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { MerostoreError } from "../errors.js";

/** Makes the names of files in a folder durable. Windows has no such call: there it does nothing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await naming(`${path} cannot be synced`, async () => {
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
 * Does something with files.
 *
 * @param what the sentence that says what has failed, if the system refuses
 * @throws MerostoreError ENGINE_FAILED
 */
export async function naming<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MerostoreError("ENGINE_FAILED", `${what}: ${(error as Error).message}`, { cause: error });
  }
}
