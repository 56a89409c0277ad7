/** Prints the findings of verification, for databases of nodes and for pages of ledgers. */

import { count, counted } from "../../bytes/quantity.js";
import {
  type FindingCounts,
  type FindingGroup,
  FindingGroups,
  isAtLeast,
  type RuleFinding,
  type RuleSummary,
  type RuleText,
  type Severity,
} from "../../findings/index.js";
import type { Finding, Summary } from "../../verify/index.js";
import type { OptionValues } from "../arguments/command.js";
import type { verifying } from "../arguments/options.js";
import { wrapped } from "../output/lines.js";
import { fittedTable, type PrintRow, programRows } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";

/** Options for printing findings: the options of the command, and whether the output is JSON. */
export interface ReportOptions extends OptionValues<typeof verifying> {
  readonly json: boolean;
}

/** A finding as text. */
interface FindingLines {
  readonly severity: Severity;
  readonly message: string;
  /** The row; empty for a finding that is not about one row. */
  readonly row: string;
}

/** The most findings of a rule in text. */
const SHOWN = 10;
/** The width of text if the terminal does not know its width. */
const WIDTH = 120;
/** The heads of findings as rows. */
const FINDING_HEADS = ["row", "rule", "severity", "message", "found", "expected"];
/** The width of the first column of a group: severities and labels. */
const LABEL = 9;

/**
 * Prints findings. In JSON each is a line, printed immediately. For text, a bounded number of each rule is collected,
 * and printed by rule after the verdict.
 */
export class FindingReport {
  readonly #terminal: Terminal;
  readonly #options: ReportOptions;
  readonly #rules: ReadonlyMap<string, RuleText>;
  readonly #groups: FindingGroups<FindingLines>;
  #print: PrintRow | undefined;

  /** @param rules the texts of the rules that may have findings */
  constructor(terminal: Terminal, rules: readonly RuleText[], options: ReportOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    this.#groups = new FindingGroups({ most: options.all ? Infinity : SHOWN, least: options.severity });
  }

  /**
   * Adds a finding.
   *
   * @param place properties before the finding's own properties in JSON
   * @param text returns the message and the row for people
   */
  async add(
    finding: RuleFinding | Finding,
    place: { readonly ledger?: string; readonly page?: string },
    text: () => Pick<FindingLines, "message" | "row">,
  ): Promise<void> {
    const { json, quiet, severity } = this.#options;
    if (quiet) return;
    if (this.#terminal.isForPrograms) {
      const print = await this.#programRows();
      const { message, row } = text();
      const { found = "", expected = "" }: Partial<Finding> = finding;
      if (isAtLeast(finding.severity, severity))
        await print?.([row, finding.rule, finding.severity, message, `${found}`, `${expected}`]);
    } else if (!json)
      this.#groups.add(finding.rule, finding.severity, () => ({ ...text(), severity: finding.severity }));
    else if (isAtLeast(finding.severity, severity)) await this.#terminal.json({ ...place, ...finding });
  }

  /**
   * Prints the report: the verdict, the findings by rule and, with `--all`, some tables. In JSON only the summary
   * remains to print.
   */
  async end(verdict: string, tables: readonly string[], summary: Summary | PagesSummary): Promise<void> {
    const { json, quiet, all } = this.#options;
    if (json) return this.#terminal.json(summary);
    if (this.#terminal.isForPrograms) {
      await this.#programRows();
      return;
    }
    const groups = this.#groups.groups().flatMap((group) => ["", ...this.#groupLines(group)]);
    const lines = [verdict, ...(quiet ? [] : groups), ...(all ? ["", ...tables] : [])];
    const { width } = this.#terminal;
    await this.#terminal.lines(lines.flatMap((one) => wrapped(one, width, LABEL + 6)));
  }

  async #programRows(): Promise<PrintRow | undefined> {
    this.#print ??= await programRows(this.#terminal, FINDING_HEADS);
    return this.#print;
  }

  #groupLines({ rule, items, counts }: FindingGroup<FindingLines>): readonly string[] {
    const { errors, warnings, infos } = counts;
    const numbers = [
      [errors, "error"],
      [warnings, "warning"],
      [infos, "info"],
    ] as const;
    const found = numbers.filter(([number]) => number > 0).map(([number, one]) => counted(number, one));
    const lines = [`${rule}: ${found.join(", ")}`];
    const says = this.#rules.get(rule)?.says;
    if (says !== undefined) lines.push(...this.#labelled("rule", says));
    let last = "";
    for (const { severity, message, row } of items) {
      const head = this.#labelled(severity === "error" ? "ERROR" : severity, printable(message)).join("\n");
      if (head !== last) lines.push(...head.split("\n"));
      last = head;
      if (row !== "") lines.push(`${" ".repeat(LABEL + 4)}${row}`);
    }
    const left = errors + warnings + infos - items.length;
    if (left > 0) lines.push(...this.#labelled("", `and ${count(left)} more: --all shows them`));
    const { means, advice } = this.#rules.get(rule) ?? {};
    if (means !== undefined) lines.push(...this.#labelled("means", means));
    if (advice !== undefined) lines.push(...this.#labelled("advice", advice));
    return lines;
  }

  /** A label, and a text beside it, wrapped. */
  #labelled(label: string, text: string): readonly string[] {
    const lines = wrapped(text, (this.#terminal.width ?? WIDTH) - LABEL - 2);
    return lines.map((line, at) => `  ${(at === 0 ? label : "").padEnd(LABEL)}${line}`);
  }
}

/**
 * A table of rules: the number of checked rows, and the findings of each.
 *
 * @param remark a last cell for a rule; without it the table has no such column
 */
export function ruleTable(
  rules: readonly RuleSummary[],
  width: number | undefined,
  remark?: (rule: RuleSummary) => string,
): string[] {
  const head = ["rule", "checked", "errors", "warnings", "infos", ...(remark === undefined ? [] : [""])];
  const cells = rules.map((rule) => [
    rule.rule,
    count(rule.checked),
    ...[rule.errors, rule.warnings, rule.infos].map((number) => (number === 0 ? "" : count(number))),
    ...(remark === undefined ? [] : [remark(rule)]),
  ]);
  return fittedTable([head, ...cells], { right: [1, 2, 3, 4], wrap: [5], cut: [0], leave: [1] }, width);
}

/** The summary of a verification of pages. */
interface PagesSummary extends FindingCounts {
  /** The number of pages. */
  readonly pages: number;
}

/** `no errors, 2 warnings, 0 infos`. */
export function countsText({ errors, warnings, infos }: FindingCounts): string {
  const first = errors === 0 ? "no errors" : counted(errors, "error");
  return `${first}, ${counted(warnings, "warning")}, ${counted(infos, "info")}`;
}
