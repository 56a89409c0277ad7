/** Ids of blobs (schema 5.2). 32 bytes, both revisions. */
import { sha256All } from "../crypto/index.js";
import type { BlobMetaValue010 } from "../values/blobs.js";

/** Size of a chunk in bytes. Only the last chunk may be smaller. */
export const CHUNK_SIZE = 1_048_576;

/** The id of a blob: SHA-256 of its chunks' ids in order. Content of a single chunk has a root too. */
export function blobRootId(links: readonly Uint8Array[]): Uint8Array {
  return sha256All(links);
}

/** The id that a row should have: the hash of the bytes of a chunk, or of the ids of a blob's chunks. */
export function blobId({ hash, links }: Pick<BlobMetaValue010, "hash" | "links">): Uint8Array {
  return links.length === 0 ? hash : blobRootId(links);
}
