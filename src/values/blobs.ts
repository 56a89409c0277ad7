import { b32, byteCount, type Decoded, struct, u32, u64, vec } from "../codec/index.js";

const content = {
  /** Bytes of the content. */
  size: byteCount(u64),
  /** SHA-256 of the content, 32 bytes. */
  hash: b32,
  /** Blob ids of the chunks, in order: all but the last are of 1 MiB. None for a chunk and for empty content. */
  links: vec(b32),
} as const;

/** A blob: its size, SHA-256, chunks, and the number of times that it was added. 48 bytes and 32 for each chunk. */
export const BlobMetaValue = struct("BlobMeta", {
  ...content,
  /** The number of its additions minus its deletions, from 1. */
  refs: u32,
});
export type BlobMetaValue = Decoded<typeof BlobMetaValue>;

/** A blob in core-0.10 and in the document: its size, SHA-256 and chunks. 44 bytes and 32 for each chunk. */
export const BlobMetaValue010 = struct("BlobMeta", content);
export type BlobMetaValue010 = Decoded<typeof BlobMetaValue010>;
