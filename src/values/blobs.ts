import { b32, type Decoded, struct, u32, u64, vec } from "../codec/index.js";

/** A blob: its size and SHA-256, and the ids of its chunks; none for a chunk itself. 44 bytes and 32 for each chunk. */
export const BlobMetaValue010 = struct("BlobMeta", { size: u64, hash: b32, links: vec(b32) });
export type BlobMetaValue010 = Decoded<typeof BlobMetaValue010>;

/** A blob in core-0.11, with the number of times that it was added. 48 bytes and 32 for each chunk. */
export const BlobMetaValue = struct("BlobMeta", { size: u64, hash: b32, links: vec(b32), refs: u32 });
export type BlobMetaValue = Decoded<typeof BlobMetaValue>;
