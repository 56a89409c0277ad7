/** Ids of blobs (schema 5.2). 32 bytes, both revisions. */
import { sha256 } from "../crypto/index.js";
import type { BlobMetaValue010 } from "../values/blobs.js";

/** The largest chunk: all but the last have exactly this size. */
export const CHUNK_SIZE = 1_048_576;

/** The id of a blob: SHA-256 of its chunks' ids in order. Content of one chunk has a root too. */
export function blobRootId(links: readonly Uint8Array[]): Uint8Array {
  return sha256(...links);
}

/** The id that a row should have: of a chunk the hash of its bytes, of a blob that of its chunks' ids. */
export function blobId({ hash, links }: Pick<BlobMetaValue010, "hash" | "links">): Uint8Array {
  return links.length === 0 ? hash : blobRootId(links);
}
