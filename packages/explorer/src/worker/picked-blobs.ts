/** The blob files of a folder that a person picked: those in its folder `blobs`. */
import { toId } from "merostore";
import type { BlobFiles } from "merostore/verify";
import type { FolderFile } from "./folder-file.js";

/** Bytes that are read of one file. A chunk has 1 MiB at most: so much of a longer file is enough to tell. */
const MOST_BYTES = 16 * 1024 * 1024 + 1;

/** The blobs of a node; undefined where the folder has none. */
export function pickedBlobs(files: readonly FolderFile[]): BlobFiles | undefined {
  const byName = new Map<string, File>();
  for (const { path, file } of files) if (path.split("/").at(-2) === "blobs") byName.set(file.name, file);
  if (byName.size === 0) return undefined;
  return {
    async read(chunkId) {
      const file = byName.get(toId(chunkId).toBase58());
      return file && new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer());
    },
  };
}
