/**
 * `merostore/diff`: nodes beside each other: the rows that differ, why they differ, and what each waits for.
 *
 * @module
 */
export * from "../diff/index.js";
export * from "../why/index.js";
