/** Checks the databases of a ledger. */
export type { Finding, Severity } from "./finding.js";
export {
  type FindingCounts,
  type PageSummary,
  PageVerification,
  pageRules,
  type RuleCounts,
  type VerifyPageOptions,
  verifyPage,
} from "./verify-page.js";
export { verifyUsage } from "./verify-usage.js";
