/**
 * The entry point of `merostore/verify` for bundlers for browsers: everything except folders of blob files and threads,
 * which need Node.
 */

export type { BlobFiles } from "../blobs/browser.js";
export type { LeftOut } from "../engine/left-out.js";
export {
  type FindingCounts,
  type FindingGroup,
  FindingGroups,
  type Findings,
  type GroupOptions,
  type RuleFinding,
  type RuleSummary,
  type RuleText,
  type Severity,
} from "../findings/index.js";
export type { ColumnSummary } from "./column-scan.js";
export type { Examined, RowCounts, RowState } from "./examine.js";
export type { Finding, RowFinding, Shown, UnknownKey } from "./finding.js";
export type { Grouping, MissingRow, Reference, Shows } from "./reference.js";
export { type Relation, type RelationGroup, relations } from "./relations.js";
export type { ReplayedContext } from "./replayed-context.js";
export {
  type Batches,
  type Check,
  type GoodRow,
  type KindCheck,
  on,
  onEach,
  type ReplayCheck,
  type RowCheck,
  type Rule,
  revisionsOf,
  type ScanCheck,
  type StateCheck,
} from "./rule.js";
export { allRules, type CheckedReference, references, ruleOf } from "./rules/index.js";
export { type NotChecked, notChecked } from "./rules/not-checked.js";
export type { Found, Tools } from "./tools.js";
export type { Summary, Verification } from "./verification.js";
export { type Verifiable, type VerifyOptions, verifyStore } from "./verify-store.js";
export type { Signed, Work } from "./work.js";
