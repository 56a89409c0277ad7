/** The blob folder of a node: one file for each chunk, named by its id in base58. */
import { stat } from "node:fs/promises";
import { toBase58 } from "../bytes/base58.js";
import { folderFiles } from "../disk/folder.js";
import { isMerostoreError, MerostoreError } from "../errors.js";
import type { FileSource } from "../lsm/source.js";
import type { BlobFiles } from "./blob-files.js";

/** Bytes that are read of one file. A chunk has 1 MiB at most: of a longer file so much is enough to tell. */
const MOST_BYTES = 16 * 1024 * 1024 + 1;

/**
 * The files of a folder: a node has it beside its database, under the name `blobs`. Of a file that is far longer than a
 * chunk only the beginning is given, and a pipe, a folder or a device in the place of a file is none.
 * @throws MerostoreError `INVALID_ARGUMENT` if there is no such folder
 */
export async function blobFolder(path: string): Promise<BlobFiles> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new MerostoreError("INVALID_ARGUMENT", `${path} is not a folder of blob files`);
  const files = folderFiles(path);
  const open = async (name: string): Promise<FileSource | undefined> => {
    try {
      return await files.open(name);
    } catch (error) {
      if (isMerostoreError(error, "DATABASE_DAMAGED")) return undefined; // it is no file
      throw error;
    }
  };
  return {
    async read(chunkId) {
      const file = await open(toBase58(chunkId));
      if (file === undefined) return undefined;
      try {
        return await file.read(0, new Uint8Array(Math.min(file.size, MOST_BYTES)));
      } finally {
        file.close();
      }
    },
  };
}
