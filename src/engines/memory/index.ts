/** The engine in memory. */

export { MemoryDatabase } from "./memory-database.js";
export { type MemoryEngineOptions, openMemoryEngine } from "./memory-engine.js";
