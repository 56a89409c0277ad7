/** Compares nodes: whether they agree, why they differ, and which work they have not finished. */
export type { WhyCause, WhyDifference, WhyRow } from "./causes.js";
export type { WhyOptions } from "./pair.js";
export { type ContextRootHashes, type RootHash, rootHashes } from "./root-hashes.js";
export type { WhySource } from "./side.js";
export { type StuckDelta, type StuckGroup, stuck } from "./stuck.js";
export { sameVerdicts, type WhyVerdict, wrongVerdicts } from "./verdict.js";
export { type WhyAnswer, type WhyNodesOptions, type WhyPair, whyDiffer } from "./why.js";
