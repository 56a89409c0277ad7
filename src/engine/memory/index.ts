/** The engine in memory. */

export { type MemoryEngineOptions, openMemoryEngine } from "./memory-engine.js";
