/** Stores in folders. Bundlers for browsers take `folder-store-browser.ts` in its place. */
import { folderPath, type PathOrUrl, realPath } from "merostore/internal";
import type { FileStore } from "./file-store.js";
import { SharedFolder } from "./shared-folder.js";

/**
 * Returns the files of a folder that others reach.
 *
 * @param what the folder, for errors
 * @param refusesLinks see {@link SharedFolder}
 * @throws MerostoreError INVALID_ARGUMENT
 */
export function folderStore(folder: PathOrUrl, what: string, refusesLinks: boolean): FileStore {
  return new SharedFolder(realPath(folderPath(folder, what)), refusesLinks);
}
