/** What a browser's bundler takes for `merostore/store`: all of it but `openStore`, which opens folders and needs Node. */
export { Batch } from "./batch.js";
export type {
  Change,
  ChangeOfKind,
  RangeDeletion,
  Rescan,
  RowChangeDetails,
  RowDeletion,
  RowPut,
  UnknownRowChange,
} from "./change.js";
export type { DecodedEntry, Entry, EntryOfKind, KeyEntry, StoredEntry, UndecodedEntry } from "./entry.js";
export { Overlay } from "./overlay.js";
export { type Scannable, StoreReader } from "./reader.js";
export { rowsOfKind, Scan } from "./scan.js";
export { Snapshot } from "./snapshot.js";
export { Store } from "./store.js";
export { type DetectionOptions, storeOn } from "./store-on.js";
export type { Changes, WatchOptions } from "./watch.js";
