/** Findings by rule, of which a bounded number is kept. */
import { FindingCounter, type FindingCounts } from "./counts.js";
import { isAtLeast, type Severity, severities } from "./finding.js";

/** The findings of one rule. */
export interface FindingGroup<Item> {
  /** The name of the rule. */
  readonly rule: string;
  /** The most severe severity among the findings. */
  readonly severity: Severity;
  /** The first findings, the most severe ones before others. */
  readonly items: readonly Item[];
  /** The numbers of all findings, kept or not. */
  readonly counts: FindingCounts;
}

/** The findings that a `FindingGroups` takes and keeps. */
export interface GroupOptions {
  /** The number of findings of each rule that are kept. Infinity keeps all. */
  readonly most: number;
  /** Findings that are less severe are not taken. */
  readonly least: Severity;
}

class Group<Item> {
  readonly counter = new FindingCounter();
  /** For each severity the first findings. */
  readonly kept: Readonly<Record<Severity, Item[]>> = { error: [], warning: [], info: [] };
}

/** Collects findings by rule. The counts are exact; memory depends on the rules, not on the number of findings. */
export class FindingGroups<Item> {
  readonly #groups = new Map<string, Group<Item>>();
  readonly #options: GroupOptions;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  /** Takes a finding. `item` returns what is kept of it, and is called only if it is kept. */
  add(rule: string, severity: Severity, item: () => Item): void {
    const { most, least } = this.#options;
    if (!isAtLeast(severity, least)) return;
    const group = this.#groups.get(rule) ?? new Group<Item>();
    this.#groups.set(rule, group);
    group.counter.add(severity);
    const kept = group.kept[severity];
    if (kept.length < most) kept.push(item());
  }

  /**
   * Returns the groups: those with the most severe findings first, and otherwise in the order of their first findings.
   */
  groups(): readonly FindingGroup<Item>[] {
    const groups = [...this.#groups].map(([rule, { counter, kept }]) => {
      const items = severities.flatMap((severity) => kept[severity]).slice(0, this.#options.most);
      const severity = severities.find((severity) => kept[severity].length > 0) ?? "info";
      return { rule, severity, items, counts: counter.counts() };
    });
    return severities.flatMap((severity) => groups.filter((group) => group.severity === severity));
  }
}
