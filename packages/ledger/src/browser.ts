/**
 * `merostore-ledger` for browser bundlers: everything except folders and servers, which need Node.
 *
 * @module
 */
export type { FindingCounts, Findings, RuleFinding, RuleSummary, Severity } from "merostore/internal";
export type { Watcher } from "./callbacks.js";
export {
  type Ledger,
  type LedgerOptions,
  type NewPageOptions,
  openLedger,
  type PageOptions,
  type PageUse,
} from "./ledger.js";
export { ledgerNameBytes } from "./ledger-name.js";
export { type LedgerRepository, openRepository } from "./ledger-repository.js";
export type { Conflict, ConflictingEntry } from "./merging/conflict.js";
export {
  type MergedValues,
  mergeByPrefix,
  mergeCounters,
  mergeSets,
  type ValueMerge,
} from "./merging/merge-by-prefix.js";
export type { MergedEntry } from "./merging/merged-entries.js";
export type { ConflictResolver, PagePolicy } from "./merging/resolver.js";
export type { ObjectDigest, ObjectIdentifier } from "./objects.js";
// The exports marked as internal serve the package's own command line. Declarations leave them out.
/** @internal */
export { objectType, pieceType } from "./objects.js";
export type { Durability } from "./page/connection.js";
/** @internal */
export { type EntryKey, keyBytes, MAX_KEY_SIZE } from "./page/key.js";
export type { Mutations, PutOptions } from "./page/mutations.js";
export type { CountOptions, EntriesOptions, PageTransaction } from "./page/operations.js";
export {
  ascendingNumber,
  descendingNumber,
  joinedKey,
  readAscending,
  readDescending,
  uniqueSuffix,
} from "./page/ordered-keys.js";
export type { Page } from "./page/page.js";
export type { CommitId, EntryDifference, EntryVersion, PageCommit } from "./page/page-history.js";
/** @internal */
export { differencesOf } from "./page/page-history.js";
export type {
  EntryBounds,
  EntryCountOptions,
  EntryScanOptions,
  KeyBounds,
  PagePart,
  PageScan,
  PrefixOptions,
  ValueOptions,
} from "./page/page-scan.js";
/** @internal */
export { isInRange, keyRange } from "./page/page-scan.js";
export { type ExportEntriesOptions, exportEntries, importEntries } from "./page/portable.js";
export type { PageEntry, PageSnapshot } from "./page/snapshot.js";
export type { EntryValue, ValueReference } from "./page/value.js";
export type { PutValue, ReadValue, ValueCodec, ValueForm } from "./page/value-codec.js";
export type {
  ChangedEntry,
  ChangeListener,
  ChangePart,
  PageChange,
  SnapshotOptions,
  WatchedSnapshot,
  WatchOptions,
} from "./page/watcher.js";
/** @internal */
export { PAGE_ID_SIZE, type PageId, pageIdBytes, ROOT_PAGE_ID } from "./page-id.js";
export type { Permutation, RollingHash } from "./pieces/rolling-hash.js";
/** @internal */
export { pageNotFound } from "./places/browser.js";
export { memoryPlace } from "./places/memory-place.js";
export { type OriginDirectory, type OriginPlaceOptions, originPlace } from "./places/origin-place.js";
export type { Place } from "./places/place.js";
/** @internal */
export type { DamagedUsage } from "./repository/index.js";
export type { FormatOptions, RepositoryOptions } from "./repository-options.js";
export type { Clock } from "./rows/object-parts.js";
/** @internal */
export { commitRow, objectRow, pageRows, syncMetadataRow, usageRows } from "./rows/page-rows.js";
/** @internal */
export { type AnyRow, COLUMN, nameRow } from "./rows/row.js";
export type { CollectionPolicy } from "./storage/background-collector.js";
/** @internal */
export { type Commit, FIRST_COMMIT_ID, isFirst } from "./storage/commit.js";
/** @internal */
export type { ObjectReader } from "./storage/object-reader.js";
/** @internal */
export { missingPieces } from "./storage/object-reader.js";
export type { LastSync } from "./storage/page-state.js";
export type {
  Cloud,
  CloudConnection,
  CommitBytes,
  FetchedPiece,
  SyncedPage,
  SyncSource,
  UploadedRecords,
} from "./sync/cloud.js";
export { MissingCommits } from "./sync/cloud.js";
export { type DeviceKey, type FolderDevice, newDevice } from "./sync/devices/device.js";
export {
  type FirstDevice,
  FolderDevices,
  folderDevices,
  startDevices,
} from "./sync/devices/folder-devices.js";
export type { DeviceEntry, DeviceRole } from "./sync/devices/roster.js";
export type { FileStore, ReadFile } from "./sync/folder/file-store.js";
export {
  FolderCloud,
  type FolderCloudOptions,
  type FolderSync,
  folderCloud,
  type StoredPage,
  type UnsentPage,
} from "./sync/folder/folder-cloud.js";
export type { SyncTotals, Transferred } from "./sync/folder/traffic.js";
export { type HttpStoreOptions, httpStore } from "./sync/http/http-store.js";
export { MemoryCloud } from "./sync/memory-cloud.js";
export { type S3StoreOptions, s3Store } from "./sync/s3/s3-store.js";
export type { SyncListener, SyncState, SyncStateSource, SyncStates } from "./sync/sync-states.js";
/** @internal */
export { decodeFileIndex } from "./tables/file-index.js";
export type { Priority } from "./tables/tree-node.js";
/** @internal */
export { decodeNode, type TreeEntry } from "./tables/tree-node.js";
/** @internal */
export { entryRuns, entryRunsBefore, findEntry } from "./tree/iterate.js";
export type { Finding } from "./verify/finding.js";
/** @internal */
export { pageRules, usageRule, verifyUsage } from "./verify/index.js";
export {
  type PageSummary,
  type PageVerification,
  verifyPage,
} from "./verify/verify-page.js";
