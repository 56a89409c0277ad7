/**
 * Comparison of two databases.
 *
 * @module
 */

export * from "./browser.js";
/** @internal */
export { pairs } from "./pairs.js";
export { rowsOfExport } from "./rows-of-export.js";
