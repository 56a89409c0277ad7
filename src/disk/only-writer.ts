/** One writer for each database in this process. */

import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { withMessage } from "./sync-folder.js";

/** The folders that are open for writing: each by its path, and by its device and inode. */
const claimed = new Set<string>();

/**
 * Opens a database for writing, unless this process already has it open for writing, with any engine and under any
 * name. The lock file of an engine does not show this: the system grants a lock again to the process that holds it, and
 * an engine compares only paths. Device and inode identify a folder behind a bind mount, in another case, or renamed
 * while it is open.
 *
 * @param folder the folder of the database, with links resolved
 * @param locked returns the error for a database that is open
 * @param open gets the function to call when the database is closed; if `open` fails, this function calls it
 */
export async function asOnlyWriter<T>(
  folder: string,
  locked: () => Error,
  open: (release: () => void) => Promise<T>,
): Promise<T> {
  const { identity, close } = await withMessage(`${folder} cannot be read`, async () => hold(folder));
  const names = [folder, identity];
  if (names.some((name) => claimed.has(name))) {
    close();
    throw locked();
  }
  for (const name of names) claimed.add(name);
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    for (const name of names) claimed.delete(name);
    close();
  };
  try {
    return await open(release);
  } catch (error) {
    release();
    throw error;
  }
}

/** The identity of a folder. Until `close`, no other folder gets it, even if this one is removed. */
function hold(folder: string): { readonly identity: string; close(): void } {
  const named = ({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }) => `${dev}:${ino}`;
  // Windows cannot open folders, and does not reuse their numbers.
  if (process.platform === "win32")
    return { identity: named(statSync(folder, { bigint: true })), close: () => undefined };
  const descriptor = openSync(folder, "r");
  return {
    identity: named(fstatSync(descriptor, { bigint: true })),
    close: () => closeSync(descriptor),
  };
}
