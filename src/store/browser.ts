/**
 * The entry point that bundlers for browsers resolve for `merostore/store`: everything except `openStore`, which opens
 * folders and needs Node.
 */

export { Scan } from "../engine/scan.js";
export type { Batch, SyncOptions } from "./batch.js";
export type {
  Change,
  ChangeOfKind,
  ChangeOfRow,
  PutKind,
  RangeDeletion,
  Rescan,
  RowChangeDetails,
  RowDeletion,
  RowPut,
  UnknownRowChange,
} from "./change.js";
export { type ColumnCount, countRows, type RowCount } from "./count-rows.js";
export {
  type DecodedEntry,
  type Entry,
  type EntryOfKind,
  type EntryOfRow,
  entriesOf,
  type KeyEntry,
  type StoredEntry,
  type UndecodedEntry,
} from "./entry.js";
export type { Overlay } from "./overlay.js";
export { type Scannable, StoreReader } from "./reader.js";
export { rowsOfKind } from "./scan.js";
export type { Snapshot } from "./snapshot.js";
export { Store } from "./store.js";
export { type DetectionOptions, type SchemaOption, type StoreOptions, storeOn } from "./store-on.js";
export type { Changes, WatchOptions } from "./watch.js";
