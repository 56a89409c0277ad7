/**
 * `merostore/engine`: the contract of engines and their base class, engines in memory, for folders and for LevelDB, and
 * encrypted values. Packages of engines are loaded when a database is opened, not when this module is.
 *
 * @module
 */
export * from "../encryption/index.js";
export * from "../engines/index.js";
export * from "../engines/level/index.js";
