/**
 * The entry point that bundlers for browsers resolve for `merostore`: everything except `openStore`, which opens
 * folders and needs Node.
 *
 * @example
 * import { storeOn } from "merostore";
 * import { openFiles, pickedFiles } from "merostore/engine/files";
 *
 * const store = await storeOn(await openFiles(pickedFiles(input.files ?? [])));
 * for await (const { key, value } of store.table("ContextMeta").scan()) console.log(`${key}`, value);
 */
export { fromHex, toHex } from "./bytes/hex.js";
export { type Id, type IdLike, toId } from "./bytes/id.js";
export { DecodeError, EncodeError, Payload } from "./codec/index.js";
export { Column, columnFamilies } from "./columns/index.js";
export { type ErrorCode, isMerostoreError, MerostoreError } from "./errors.js";
export {
  type AnyKey,
  type AnyKeyClass,
  byte,
  id32,
  type KeyClass,
  type KeyOf,
  type KeyRange,
  keyParts,
  type Part,
  paddedText,
  partsOf,
  scope16,
  tail,
  u64be,
} from "./keys/index.js";
export type { Progress, ProgressOptions } from "./progress.js";
export {
  type Core10,
  type Core010,
  type Core011,
  core10,
  core010,
  core011,
  type Documented,
  defineSchema,
  detectRevision,
  documented,
  type Explanation,
  explainRow,
  type KnownSchema,
  type Row,
  readableForm,
  revisionOf,
  revisions,
  row,
  rowToJson,
  type Schema,
} from "./schemas/index.js";
export {
  type Batch,
  type Bound,
  type Change,
  type ChangeOfKind,
  type Changes,
  type ColumnCount,
  type CountOptions,
  countRows,
  type Entry,
  type EntryOfKind,
  type KeyOrParts,
  type Overlay,
  type RangeDeletion,
  type Rescan,
  type RowBounds,
  type RowDeletion,
  type RowPut,
  Scan,
  type Snapshot,
  Store,
  type StoreOptions,
  StoreReader,
  type SyncOptions,
  storeOn,
  type Table,
  type TableReader,
  type TableScan,
  type TableScanOptions,
  type WatchOptions,
} from "./store/browser.js";
