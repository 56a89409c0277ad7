/**
 * The entry point that bundlers for browsers resolve for `merostore/store`: everything except `openStore`, which opens
 * folders and needs Node.
 */
export { Batch } from "./batch.js";
export type { DecodedEntry, Entry, EntryOfKind, KeyEntry, StoredEntry, UndecodedEntry } from "./entry.js";
export { Overlay } from "./overlay.js";
export { type Scannable, StoreReader } from "./reader.js";
export { rowsOfKind, Scan } from "./scan.js";
export { Snapshot } from "./snapshot.js";
export { Store } from "./store.js";
export { type DetectionOptions, storeOn } from "./store-on.js";
