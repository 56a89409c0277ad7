import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32 } from "./part.js";
import { contextId, part } from "./parts.js";

const blobId = part(id32("blobId"));

/** A blob or one chunk of it. `blob_id (32)`, 32 bytes. */
export class BlobMeta extends keyParts("BlobMeta", Column.Blobs, undefined, blobId) {}

/** A blob of a context, since core-1.0. `context_id (32) ‖ blob_id (32)`, 64 bytes. */
export class ContextBlob extends keyParts("ContextBlob", Column.ContextBlob, undefined, contextId, blobId) {}

/** A context for which this node keeps a blob, since core-1.0. `context_id (32) ‖ blob_id (32)`, 64 bytes. */
export class BlobOwner extends keyParts("BlobOwner", Column.BlobOwner, undefined, contextId, blobId) {}
