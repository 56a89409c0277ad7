import type { Severity } from "./severity.js";

/** A finding of any rule. It contains no secret. */
export interface RuleFinding {
  /** The severity. */
  readonly severity: Severity;
  /** The name of the rule. */
  readonly rule: string;
  /** The kind of the row; null for a row of unknown kind. */
  readonly kind: string | null;
  /** The key of the row as hex; null for a finding that is not about one row. */
  readonly key: string | null;
  /** The finding as a sentence without its full stop. */
  readonly message: string;
}
