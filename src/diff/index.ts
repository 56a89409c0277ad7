/**
 * Comparison of two databases.
 *
 * @module
 */

export * from "./browser.js";
export { rowsOfExport } from "./rows-of-export.js";
