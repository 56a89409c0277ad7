export { type MemoryEngineOptions, openMemoryEngine } from "./memory-engine.js";
