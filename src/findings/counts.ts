/** Counts of findings, and the verdict that follows from them. */
import type { Severity } from "./finding.js";

/** Numbers of findings by severity. */
export interface FindingCounts {
  /** The number of findings with severity `error`. */
  readonly errors: number;
  /** The number of findings with severity `warning`. */
  readonly warnings: number;
  /** The number of findings with severity `info`. */
  readonly infos: number;
}

/** The rows that a rule checked, and its findings. */
export interface RuleSummary extends FindingCounts {
  /** The name of the rule. */
  readonly rule: string;
  /** The number of rows, or other items, that the rule checked. */
  readonly checked: number;
  /** The reason why the rule did not run. Absent if it ran. */
  readonly skipped?: string;
  /** True if the reason is that an export leaves out rows which the rule needs. */
  readonly lacking?: true;
}

/** Counts findings. */
export class FindingCounter {
  readonly #counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };

  /** Counts a finding. */
  add(severity: Severity): void {
    this.#counts[severity]++;
  }

  /** Returns the counts so far. */
  counts(): FindingCounts {
    const { error, warning, info } = this.#counts;
    return { errors: error, warnings: warning, infos: info };
  }
}

/** Adds up counts. */
export function total(counts: readonly FindingCounts[]): FindingCounts {
  const sum = (of: keyof FindingCounts): number => counts.reduce((total, one) => total + one[of], 0);
  return { errors: sum("errors"), warnings: sum("warnings"), infos: sum("infos") };
}

/** Adds up the summaries of the same rules for several databases: the result has a summary for each rule. */
export function addSummaries(a: readonly RuleSummary[], b: readonly RuleSummary[]): readonly RuleSummary[] {
  const sums = new Map(a.map((summary) => [summary.rule, summary]));
  for (const summary of b) {
    const { rule } = summary;
    const sum = sums.get(rule);
    const checked = summary.checked + (sum?.checked ?? 0);
    sums.set(rule, { rule, checked, ...total(sum === undefined ? [summary] : [sum, summary]) });
  }
  return [...sums.values()];
}

/** Returns whether findings make a verification fail: errors do, and with `strict` warnings too. */
export function fails({ errors, warnings }: FindingCounts, strict = false): boolean {
  return errors > 0 || (strict && warnings > 0);
}
