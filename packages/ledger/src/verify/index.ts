/** Rules about the databases of a ledger, and the checks of a whole repository. */
export { pageRules } from "./verify-page.js";
export { usageRule, verifyUsage } from "./verify-usage.js";
