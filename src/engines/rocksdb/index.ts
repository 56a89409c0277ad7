/** The engine over RocksDB. The native package is loaded when a database is opened. */

export { openRocksEngine, type RocksEngineOptions } from "./open.js";
