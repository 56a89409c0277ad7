/**
 * The entry point of `merostore/engine` for bundlers for browsers: everything except functions that open folders, which
 * need Node.
 *
 * @module
 */
export * from "../encryption/index.js";
export * from "../engines/browser.js";
