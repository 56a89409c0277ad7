/**
 * Reads RocksDB's own files in TypeScript: without the native package, on any system, in a browser, beside a running
 * node. It also recovers the readable rows of a damaged database into a new one. Only that needs Node, and bundlers for
 * browsers leave it out.
 *
 * @module
 */

export { type RecoveredFamily, type Recovery, type RecoveryOptions, recoverDatabase } from "../recover.js";
export * from "./browser.js";
export type { RowWriter } from "./recover/families.js";
export type { RecoveryFinding } from "./recover/finding.js";
