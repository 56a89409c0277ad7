/**
 * For tests: a store in memory, and the suite that an engine must pass. Both work with every test framework, and in a
 * browser.
 *
 * @module
 */
export * from "../engine/conformance/index.js";
export { memoryStore } from "./memory-store.js";
