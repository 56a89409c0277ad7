/** Nodes beside each other: whether they have the same, why they differ, and what they wait for. */
export { type ContextRootHashes, type RootHash, rootHashes } from "./root-hashes.js";
export type { WhySource } from "./side.js";
export { type StuckDelta, type StuckGroup, stuck } from "./stuck.js";
export { type WhyVerdict, wrongVerdicts } from "./verdict.js";
export { type WhyCause, type WhyContext, type WhyRow, whyDiffer } from "./why.js";
