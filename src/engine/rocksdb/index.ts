export { openRocksEngine, type RocksEngineOptions } from "./open.js";
