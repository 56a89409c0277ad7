/** Where the chunks of blobs are: a node keeps each in a file, beside its database. */

/** The files of blobs by chunk. `blobFolder` reads those of a node's folder; a page or a test has others. */
export interface BlobFiles {
  /** The content of a chunk; undefined where there is no such file. */
  read(chunkId: Uint8Array): Promise<Uint8Array | undefined>;
}
