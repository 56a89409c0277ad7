/** Rules about the rows of a page. */
import type { RuleText } from "merostore/internal";
import type { CheckedPage } from "./checked-page.js";
import type { Problem } from "./finding.js";

/** A rule about the rows of a page. */
export interface PageRule extends RuleText {
  /** Checks a page. Uses constant memory, or a few bytes for each row. */
  check(page: CheckedPage): AsyncGenerator<Problem, void, undefined>;
}
