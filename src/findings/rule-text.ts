import type { Severity } from "./severity.js";

/** The part of a rule that people read. */
export interface RuleText {
  /** The name by which commands and findings refer to the rule: `delta-id`. */
  readonly name: string;
  /** The severity of most of its findings; a finding may have another one. */
  readonly severity: Severity;
  /** The rule, as one sentence. */
  readonly says: string;
  /** The meaning of a finding for the person who operates the database, as one sentence. */
  readonly means: string;
  /** The advice about a finding, as one or two sentences. */
  readonly advice: string;
}
