/** Replaying a node's governance operations, and comparing its rows with what they lead to. */
export { type ComparedRow, compareRows, type Verdict } from "./compare.js";
export {
  namespacesWithOperations,
  nameOf,
  type OperationName,
  type ReplayFact,
  replayFacts,
} from "./facts.js";
export type { ReplayOperation, ReplayState } from "./operations.js";
export { type Replay, type ReplayOptions, replay } from "./replay.js";
export type { Cause, ReplayedKind, ReplayedRow } from "./rows.js";
export { WRITERS, type Writer } from "./writers.js";
