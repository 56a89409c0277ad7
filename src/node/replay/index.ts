/** Replays a node's governance operations, and compares its rows with the replay. */

export { departuresOf, explainMember, type MemberChange, withoutNonces } from "./explanation.js";
export type * from "./fact.js";
export { memberFacts, replayFacts } from "./facts.js";
export { rowsAfter } from "./past.js";
export { WRITERS, type WriterName } from "./writers.js";
