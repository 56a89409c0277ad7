/** Where the chunks of blobs are: a node keeps each in a file, beside its database. */

/** The files of blobs by chunk. `blobFolder` reads those of a node's folder; a page or a test has others. */
export interface BlobFiles {
  /**
   * The content of a chunk; undefined where there is no such file.
   *
   * @param buffer may be overwritten: the content is a part of it, or bytes of its own
   */
  read(chunkId: Uint8Array, buffer?: Uint8Array): Promise<Uint8Array | undefined>;
}
