/**
 * Engines: byte keys and byte values in named column families. The contract, the base class of engines, an engine in
 * memory, and RocksDB; `openEngine` also opens `postgres://` URLs. Packages of engines are loaded when a database is opened, not when this module is.
 *
 * @module
 */

export type { PathOrUrl } from "../disk/location.js";
/** @internal */
export { absoluteLocation, isLocation, locationText } from "../disk/location.js";
export type { ChunkSource, ScanPlan } from "../engine/chunk-source.js";
export type {
  Bounds,
  ByteRange,
  Capabilities,
  ChangeBatch,
  DeleteOperation,
  DeleteRangeOperation,
  Engine,
  EngineReader,
  EngineSnapshot,
  Limits,
  PutOperation,
  RawRow,
  RawScan,
  ScanOptions,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "../engine/engine.js";
export { EngineBase } from "../engine/engine-base.js";
export type { Closable, Lifecycle } from "../engine/lifecycle.js";
export { ReaderBase, type Values } from "../engine/reader-base.js";
export type { StoredTable } from "../lsm/catalog/tables.js";
export { isHttpUrl } from "../lsm/http/index.js";
export { type CreatedDatabase, createDatabase } from "./create.js";
export { type Backup, backupDatabase } from "./files/backup.js";
export type { FilesEngine, ReadOptions } from "./files/index.js";
export { type FilesEngineOptions, openFilesEngine, readStoredTables } from "./files/open-folder.js";
export type { RowWriter } from "./files/recover/families.js";
export type { RecoveryFinding } from "./files/recover/finding.js";
export { type MemoryEngineOptions, openMemoryEngine } from "./memory/index.js";
export { type EngineOptions, folderEngines, openEngine } from "./open.js";
export { type RecoveredFamily, type Recovery, type RecoveryOptions, recoverDatabase } from "./recover.js";
export { type NewDatabase, openRocksEngine, type RocksEngineOptions } from "./rocksdb/index.js";
export { isPostgresUrl, type NewServerDatabase } from "./server.js";
