/** Counts of many spoilt values, by the fields that verification watches over. */

import type { Spoilt } from "./spoil.js";

/** The number of findings about a field. */
interface FieldTally {
  cases: number;
  undecodable: number;
  notCanonical: number;
  notCaught: number;
  /** Rules, with the numbers of their findings about the row itself and about rows that refer to it. */
  readonly rules: Map<string, number>;
}

export class Tally {
  readonly #fields = new Map<string, FieldTally>();
  cases = 0;
  notCaught = 0;

  add({ revision, kind, field, news }: Spoilt): void {
    const name = [revision, kind, field].join("\t");
    const tally = this.#fields.get(name) ?? {
      cases: 0,
      undecodable: 0,
      notCanonical: 0,
      notCaught: 0,
      rules: new Map<string, number>(),
    };
    this.#fields.set(name, tally);
    this.cases++;
    tally.cases++;
    const found = new Set(news.map(({ rule, elsewhere }) => (elsewhere ? `${rule} of another row` : rule)));
    if (found.delete("row-decodes")) tally.undecodable++;
    if (found.delete("row-canonical")) tally.notCanonical++;
    for (const rule of found) tally.rules.set(rule, (tally.rules.get(rule) ?? 0) + 1);
    if (news.length > 0) return;
    this.notCaught++;
    tally.notCaught++;
  }

  /** Fields that were spoilt at least once without a finding: revision, kind and path. */
  get uncovered(): readonly (readonly [revision: string, kind: string, field: string])[] {
    return [...this.#fields]
      .filter(([, { notCaught }]) => notCaught > 0)
      .map(([name]) => name.split("\t") as [string, string, string])
      .sort();
  }

  /** All fields, with a head. */
  get table(): readonly (readonly string[])[] {
    const rows = [...this.#fields].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      ["revision", "row", "field", "cases", "undecodable", "not canonical", "not caught", "rules"],
      ...rows.map(([name, { cases, undecodable, notCanonical, notCaught, rules }]) => [
        ...name.split("\t"),
        ...[cases, undecodable, notCanonical, notCaught].map(String),
        [...rules]
          .sort(([, a], [, b]) => b - a)
          .map(([rule, count]) => `${rule} ${count}`)
          .join(", "),
      ]),
    ];
  }
}
