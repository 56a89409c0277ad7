/** Rules: what should hold between the rows of a page. */
import type { CheckedPage } from "./checked-page.js";
import type { Problem } from "./finding.js";

export interface PageRule {
  readonly name: string;
  /** What should hold, in a sentence. */
  readonly says: string;
  /** Looks at the page and says what does not hold. Keeps nothing that grows with the rows, or a few bytes for each. */
  check(page: CheckedPage): AsyncGenerator<Problem, void, undefined>;
}
