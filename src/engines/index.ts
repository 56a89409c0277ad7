/**
 * Engines: byte keys and byte values in named column families. The contract, the base class of engines, an engine in
 * memory, and RocksDB; `openEngine` also opens `postgres://` URLs. Packages of engines are loaded when a database is
 * opened, not when this module is loaded.
 *
 * @module
 */

/** @internal */
export { absoluteLocation, isLocation, locationText } from "../disk/location.js";
export type { CreateOptions } from "../engine/arguments.js";
export * from "./browser.js";
export { type CreatedDatabase, createDatabase } from "./create.js";
export { type Backup, backupDatabase } from "./files/backup.js";
export {
  type FilesEngineOptions,
  openFilesEngine,
  readStoredLogs,
  readStoredTables,
} from "./files/open-folder.js";
export type { FamilyForm, FamilyForms } from "./files/write/family-forms.js";
export { type EngineOptions, folderEngines, openEngine } from "./open.js";
export { type RecoveredFamily, type Recovery, type RecoveryOptions, recoverDatabase } from "./recover.js";
export { openRocksEngine, type RocksEngineOptions } from "./rocksdb/index.js";
export { isPostgresUrl, type NewServerDatabase } from "./server.js";
