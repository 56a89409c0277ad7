/**
 * `merostore/transfer`: exports as text and back, copies between engines, and databases of older nodes.
 *
 * @module
 */
export * from "../convert/index.js";
export * from "../transfer/index.js";
