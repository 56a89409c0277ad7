/** The files of the chunks of blobs: a node keeps each in a file, beside its database. */
import { hasMembers } from "../options.js";

/**
 * The files of blobs by chunk. `blobFolder` reads the files of a node's folder; a page or a test may have other
 * sources.
 */
export interface BlobFiles {
  /**
   * Returns the content of a chunk, or undefined if the chunk has no file.
   *
   * @param buffer receives the content if it is long enough; otherwise the content has memory of its own
   */
  read(chunkId: Uint8Array, buffer?: Uint8Array): Promise<Uint8Array | undefined>;
}

/** The files of a node's folder. */
export const isFolderOfBlobs = hasMembers(
  "a folder of blobs, as blobFolder returns it",
  "path",
  "entries",
  "read",
);
