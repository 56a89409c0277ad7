/** The files of the chunks of blobs: a node keeps each in a file, beside its database. */

/** The files of blobs by chunk. `blobFolder` reads those of a node's folder; a page or a test has others. */
export interface BlobFiles {
  /**
   * Returns the content of a chunk, or undefined if the chunk has no file.
   *
   * @param buffer receives the content if it is long enough; otherwise the content has memory of its own
   */
  read(chunkId: Uint8Array, buffer?: Uint8Array): Promise<Uint8Array | undefined>;
}
