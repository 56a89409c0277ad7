/** Blobs in a browser: reading, without folders, which need Node. */
export type { BlobFiles } from "./blob-files.js";
export { type BlobChunk, blobChunks, hasBlob, type ReadBlobOptions, readBlob } from "./content.js";
export { type BlobRow, BlobTable, readBlobTable } from "./table.js";
export { type BlobUse, type BlobUses, readBlobUses } from "./uses.js";
