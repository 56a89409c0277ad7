/**
 * The entry point that bundlers for browsers resolve for `merostore/node`: everything but what opens folders.
 *
 * @module
 */
export * from "../blobs/browser.js";
export * from "../node/browser.js";
