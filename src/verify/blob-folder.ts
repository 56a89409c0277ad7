/** The blob folder of a node: one file for each chunk, named by its id in base58. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { toBase58 } from "../bytes/base58.js";
import { MerostoreError } from "../errors.js";
import type { BlobFiles } from "./blob-files.js";

/**
 * The files of a folder: a node has it beside its database, under the name `blobs`.
 * @throws MerostoreError `INVALID_ARGUMENT` if there is no such folder
 */
export async function blobFolder(path: string): Promise<BlobFiles> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new MerostoreError("INVALID_ARGUMENT", `there is no folder of blob files at ${path}`);
  return {
    async read(chunkId) {
      try {
        return await readFile(join(path, toBase58(chunkId)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}
