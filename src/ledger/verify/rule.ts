/** Rules about the rows of a page. */
import type { CheckedPage } from "./checked-page.js";
import type { Problem } from "./finding.js";

export interface PageRule {
  readonly name: string;
  /** The rule in a sentence. */
  readonly says: string;
  /** Checks a page. Uses constant memory, or a few bytes for each row. */
  check(page: CheckedPage): AsyncGenerator<Problem, void, undefined>;
}
