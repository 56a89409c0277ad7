/** Checks the databases of a ledger. */
export type {
  FindingCounts,
  Findings,
  RuleFinding,
  RuleSummary,
  RuleText,
  Severity,
} from "merostore/internal";
export type { Finding } from "./finding.js";
export {
  type PageSummary,
  type PageVerification,
  pageRules,
  type VerifyPageOptions,
  verifyPage,
} from "./verify-page.js";
export { usageRule, verifyUsage } from "./verify-usage.js";
