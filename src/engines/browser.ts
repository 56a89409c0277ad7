/**
 * The part of the engines that runs in a browser: the contract, the base class of engines, and an engine in memory.
 *
 * @module
 */

export type { PathOrUrl } from "../disk/location.js";
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
  RawKeys,
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
export type { Warning, WarningCode } from "../errors.js";
export type { StoredLog, StoredTable } from "../lsm/catalog/stored-files.js";
export { isHttpUrl } from "../lsm/http/index.js";
export type { FilesEngine, ReadOptions } from "./files/index.js";
export type { RowWriter } from "./files/recover/families.js";
export type { RecoveryFinding } from "./files/recover/finding.js";
export { type MemoryEngineOptions, openMemoryEngine } from "./memory/index.js";
