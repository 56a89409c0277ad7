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

/**
 * The severities of findings. `error`: no correct program writes such rows. `warning`: a crash or an unfinished sync
 * can leave them. `info`: normal, and worth knowing.
 */
export type Severity = "error" | "warning" | "info";

/** All severities, the most severe first. */
export const severities = ["error", "warning", "info"] as const satisfies readonly Severity[];

/** Returns whether a severity is `least` or more severe. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

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
