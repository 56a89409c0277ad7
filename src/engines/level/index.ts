/**
 * LevelDB: one column family, synced writes. The native package `classic-level` is loaded when a database is opened.
 *
 * @module
 */

export { type LevelEngineOptions, openLevelEngine } from "./open.js";
