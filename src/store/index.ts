/** The store: typed reading and writing of a node's database. */
export { Batch } from "./batch.js";
export type { Entry, KeyEntry } from "./entry.js";
export { type OpenOptions, openStore } from "./open.js";
export { Overlay } from "./overlay.js";
export { type Scannable, StoreReader } from "./reader.js";
export { Scan } from "./scan.js";
export { Snapshot } from "./snapshot.js";
export { Store } from "./store.js";
export { type DetectionOptions, storeOn } from "./store-on.js";
