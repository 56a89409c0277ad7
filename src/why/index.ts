/** Nodes beside each other: whether they have the same, why they differ, and what they wait for. */
export type { WhyCause, WhyDifference, WhyRow } from "./causes.js";
export type { WhyOptions } from "./pair.js";
export { type ContextRootHashes, type RootHash, rootHashes } from "./root-hashes.js";
export type { WhySource } from "./side.js";
export { type StuckDelta, type StuckGroup, stuck } from "./stuck.js";
export { sameVerdicts, type WhyVerdict, wrongVerdicts } from "./verdict.js";
export { type WhyAnswer, type WhyNodesOptions, type WhyPair, whyDiffer } from "./why.js";
