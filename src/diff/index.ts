/**
 * Comparison of two databases.
 *
 * @module
 */

export * from "./browser.js";
/** @internal */
export { pairs } from "./row-source.js";
export { rowsOfExport } from "./rows-of-export.js";
