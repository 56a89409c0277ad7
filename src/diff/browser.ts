/** Comparison in a browser: everything except exports as a side, whose checksums need Node. */
export {
  type ContextDifference,
  type ContextSide,
  type ContextsDifference,
  type ContextsOptions,
  diffByContext,
} from "./by-context.js";
export { diffByGroup, type GroupDifference, type GroupsDifference, type GroupsOptions } from "./by-group.js";
export type { RowDifference } from "./compare-rows.js";
/** @internal */
export { describeDifference } from "./compare-rows.js";
export type { Untrue } from "./context-facts.js";
/** @internal */
export { unreadText, untrueSentences } from "./context-facts.js";
export { type Differences, type DifferencesOptions, diffDatabases } from "./diff-databases.js";
export { type DiffOptions, type DiffSummary, diffRows } from "./diff-rows.js";
export type { FieldDifference } from "./fields.js";
/** @internal */
export { differingFields } from "./fields.js";
export type { KindDifference } from "./gather.js";
/** @internal */
export { GROUP_PARTS } from "./gather.js";
export type { LackedDeltas, OlderDeltas } from "./older-deltas.js";
/** @internal */
export { OlderDeltaCounts } from "./older-deltas.js";
export { type RowSource, rowsOfStore, type SourceRow } from "./row-source.js";
export { kindSentences, type SideNames, sentencesOf } from "./sentences.js";
export type { ContextVerdict } from "./verdict.js";
/** @internal */
export { isSameState } from "./verdict.js";
