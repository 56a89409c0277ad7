/**
 * Reads RocksDB's own files in TypeScript: without the native package, on any system, in a browser, beside a running
 * node. It also opens databases that a page writes. Nothing in this module needs Node: bundlers for browsers take it.
 *
 * @module
 */

export { type HttpOptions, httpFiles } from "../../lsm/http/index.js";
export type { OriginAccess, OriginFile, OriginFolder } from "../../lsm/origin-files.js";
export { pickedFiles } from "../../lsm/picked-files.js";
export type {
  PickedFile,
  PickedPart,
  PickedPiece,
  PickedReader,
  PickedStream,
} from "../../lsm/picked-source.js";
export type { FileSet, FileSource, MaybePromise } from "../../lsm/source.js";
export type { FilesEngine } from "./files-engine.js";
export { openFiles } from "./open.js";
export type { FilesOptions, ReadOptions } from "./state.js";
export { type OriginOptions, openOriginFolder } from "./write/open-origin.js";
