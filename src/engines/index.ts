/**
 * Engines: byte keys and byte values in named column families. The contract, an engine in memory, and RocksDB.
 * The native RocksDB package is loaded when a database is opened, not when this module is.
 *
 * @module
 */

export type {
  ByteRange,
  Capabilities,
  Engine,
  EngineReader,
  EngineSnapshot,
  RawRow,
  RawScan,
  ScanOptions,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "../engine/engine.js";
export { type Backup, backupDatabase } from "./files/backup.js";
export type { FilesEngine, ReadOptions } from "./files/index.js";
export { openFilesEngine } from "./files/open-folder.js";
export { type MemoryEngineOptions, openMemoryEngine } from "./memory/index.js";
export { type EngineOptions, folderEngines, openEngine } from "./open.js";
export { openRocksEngine, type RocksEngineOptions } from "./rocksdb/index.js";
