/** Why two nodes differ. */
export type { WhySource } from "./side.js";
export { type WhyVerdict, wrongVerdicts } from "./verdict.js";
export { type WhyCause, type WhyContext, type WhyRow, whyDiffer } from "./why.js";
