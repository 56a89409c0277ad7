/**
 * The entry point that bundlers for browsers resolve for `merostore/node`: everything except the opening of folders.
 *
 * @module
 */
export * from "../blobs/browser.js";
export * from "../node/browser.js";
