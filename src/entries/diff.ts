/**
 * `merostore/diff`: nodes beside each other: the rows that differ, the reasons, and the things that each waits for.
 *
 * @module
 */
export * from "../diff/index.js";
export * from "../why/index.js";
