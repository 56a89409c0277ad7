/** Rules, findings and verdicts, whatever the database. */
export {
  addSummaries,
  FindingCounter,
  type FindingCounts,
  fails,
  type RuleSummary,
  total,
} from "./counts.js";
export type { RuleFinding, RuleText } from "./finding.js";
export { isAtLeast, type Severity, severities } from "./finding.js";
export { Findings } from "./findings.js";
export { type FindingGroup, FindingGroups, type GroupOptions } from "./groups.js";
