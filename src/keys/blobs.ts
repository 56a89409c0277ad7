import { Column } from "../columns/index.js";
import { keyParts } from "./key-parts.js";
import { id32 } from "./part.js";
import { part } from "./parts.js";

/** A blob or one chunk of it. `blob_id (32)`, 32 bytes. */
export class BlobMeta extends keyParts("BlobMeta", Column.Blobs, undefined, part(id32("blobId"))) {}
