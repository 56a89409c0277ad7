/**
 * Blobs: reading, adding, deleting and checking them. A node keeps their rows in its database, and their content in
 * files beside it.
 *
 * @example
 * import { openStore } from "merostore";
 * import { blobFolder, checkBlobs } from "merostore/node";
 *
 * await using store = await openStore("node/data");
 * const files = await blobFolder("node/blobs");
 * for await (const { severity, state, blobId } of checkBlobs(store, files)) console.log(severity, state, blobId);
 */
export { type BlobFileEntry, type BlobFileKind, type BlobFolder, blobFolder } from "./blob-folder.js";
export * from "./browser.js";
export { type BlobFinding, type BlobState, checkBlobs } from "./check.js";
export {
  type CollectOptions,
  collectBlobs,
  type DeleteBlobOptions,
  type DeletedBlob,
  deleteBlob,
  type Leftovers,
} from "./delete.js";
export { hidesChunks } from "./hidden-chunks.js";
export { type NodeHome, nodeHome, nodeHomeOf } from "./node-home.js";
export { type PutBlob, type PutBlobOptions, putBlob } from "./put.js";
export { type RepairedCount, repairBlobCounts } from "./repair.js";
