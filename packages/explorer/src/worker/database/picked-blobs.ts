/** The blob files in the folder `blobs` of a picked folder. */
import { toId } from "merostore";
import type { BlobFiles } from "merostore/verify";
import { MOST_BLOB_BYTES } from "../../client/index.js";
import type { FolderFile } from "./folder-file.js";

/** The blobs of a node; undefined if the folder has none. */
export function pickedBlobs(files: readonly FolderFile[]): BlobFiles | undefined {
  const byName = new Map<string, File>();
  for (const { path, file } of files) if (path.split("/").at(-2) === "blobs") byName.set(file.name, file);
  if (byName.size === 0) return undefined;
  return {
    async read(chunkId) {
      const file = byName.get(toId(chunkId).toBase58());
      return file && new Uint8Array(await file.slice(0, MOST_BLOB_BYTES).arrayBuffer());
    },
  };
}
