/**
 * The entry point of `merostore/engine` for bundlers for browsers: all of it but what opens folders, which needs Node.
 *
 * @module
 */
export * from "../encryption/index.js";
export * from "../engines/browser.js";
