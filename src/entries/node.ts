/**
 * `merostore/node`: a node in people's words, and its blobs.
 *
 * @module
 */
export * from "../blobs/index.js";
export * from "../node/index.js";
