/**
 * The entry point of `merostore/diff` for bundlers for browsers: everything except exports as a side, whose checksums
 * need Node.
 *
 * @module
 */
export * from "../diff/browser.js";
export * from "../why/index.js";
