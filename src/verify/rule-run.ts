/** A rule at work: the number of checks so far, the findings so far, and their severities. */
import { toHex } from "../bytes/hex.js";
import { FindingCounter, type RuleSummary, type Severity } from "../findings/index.js";
import type { Finding, RowFinding, RowPlace, Shown } from "./finding.js";
import type { Rule } from "./rule.js";

export class RuleRun {
  readonly rule: Rule;
  checked = 0;
  /** Findings about rows that a newer node may have written. */
  maybeNewer = 0;
  readonly #counter = new FindingCounter();
  /** The findings about the first broken pair, until a second pair is broken. */
  #held: { readonly about: string; readonly findings: RowFinding<RowPlace>[] } | undefined;
  #several = false;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  /** Adds a finding. Returns the findings whose severity is now certain. */
  take(found: RowFinding<RowPlace>): readonly Finding[] {
    const { pairs, severity } = this.rule;
    if (!pairs || this.#several || found.severity !== undefined) return [this.#finding(found, severity)];
    const about = toHex(found.about ?? found.key.bytes ?? new Uint8Array(0));
    if (this.#held === undefined) this.#held = { about, findings: [found] };
    else if (this.#held.about === about) this.#held.findings.push(found);
    else {
      const { findings } = this.#held;
      this.#held = undefined;
      this.#several = true;
      return [...findings, found].map((one) => this.#finding(one, severity));
    }
    return [];
  }

  /** The findings that are left at the end: about a single pair, which a crash may have broken. */
  finish(): readonly Finding[] {
    const { findings = [] } = this.#held ?? {};
    this.#held = undefined;
    return findings.map((found) => {
      const message = `${found.message}; it is the only one, and a crash between two writes can leave one behind`;
      return this.#finding({ ...found, message }, "warning");
    });
  }

  summary(): RuleSummary {
    return { rule: this.rule.name, checked: this.checked, ...this.#counter.counts() };
  }

  #finding(
    { key, message, found, expected, entity, delta, severity, mayBeLater }: RowFinding<RowPlace>,
    usual: Severity,
  ): Finding {
    const weight = severity ?? usual;
    this.#counter.add(weight);
    if (mayBeLater) this.maybeNewer++;
    return {
      severity: weight,
      rule: this.rule.name,
      column: key.COLUMN,
      kind: key.KIND,
      key: key.bytes === null ? null : toHex(key.bytes),
      message,
      ...(found !== undefined && { found: textOf(found) }),
      ...(expected !== undefined && { expected: textOf(expected) }),
      ...(entity !== undefined && { entity }),
      ...(delta !== undefined && { delta }),
    };
  }
}

function textOf(shown: Shown): string {
  return typeof shown === "object" ? toHex(shown) : `${shown}`;
}
