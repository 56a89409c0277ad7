/** The store without `openStore`, which needs Node to open folders. */

export { Scan } from "../engine/scan.js";
export type { Batch, SyncOptions } from "./batch.js";
export type { Bound, CountOptions, KeyOrParts, RowBounds, TableScanOptions } from "./bounds.js";
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
export type { DecodedEntry, Entry, EntryOfKind, EntryOfRow, StoredEntry, UndecodedEntry } from "./entry.js";
/** @internal */
export { entriesOf } from "./entry.js";
export type { Overlay } from "./overlay.js";
export { StoreReader, type ValuesFor } from "./reader.js";
/** @internal */
export { rowsInRanges, rowsOfKind } from "./scan.js";
export type { Snapshot } from "./snapshot.js";
export { Store } from "./store.js";
export { type DetectionOptions, type SchemaOption, type StoreOptions, storeOn } from "./store-on.js";
export type { Table, TableReader } from "./table.js";
export type { TableName } from "./table-of.js";
export type { TableScan } from "./table-scan.js";
export type { Changes, WatchOptions } from "./watch.js";
