/**
 * RocksDB's own files, read in TypeScript: without the native package, on any system, in a browser, beside a running
 * node; and a new database of what a damaged one still has. Only that needs Node; bundlers for browsers leave it out.
 *
 * @module
 */

export { type RecoveredFamily, type Recovery, type RecoveryOptions, recoverDatabase } from "../recover.js";
export * from "./browser.js";
export type { RowWriter } from "./recover/families.js";
export type { RecoveryFinding } from "./recover/finding.js";
