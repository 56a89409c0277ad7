/** Printing what verification finds, in databases of nodes and in pages of ledgers alike. */
import type { Terminal } from "./terminal.js";
import { count, counted, printable, table } from "./text.js";

/** A finding of either verification, as far as both print it in the same way. */
export interface PrintedFinding {
  readonly severity: "error" | "warning" | "info";
  readonly rule: string;
  readonly message: string;
}

/** How many findings there are of each severity. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
}

/** What a rule checked and found. */
export interface RuleCounts extends FindingCounts {
  readonly rule: string;
  readonly checked: number;
}

/** The width of the severity, so that rules and rows begin below each other. */
const SEVERITY_WIDTH = 8;

/**
 * Prints a finding: as a line of JSON, or on two lines, the rule and the message above the row.
 *
 * @param form an object is printed as JSON; a string describes the row for people, and is empty for a finding without a row
 * @param indent spaces before both lines
 */
export async function printFinding(
  terminal: Terminal,
  { severity, rule, message }: PrintedFinding,
  form: object | string,
  indent = "",
): Promise<void> {
  if (typeof form === "object") return terminal.line(JSON.stringify(form));
  const name = severity === "error" ? "ERROR" : severity;
  await terminal.line(`${indent}${name.padEnd(SEVERITY_WIDTH)} ${rule}: ${printable(message)}`);
  if (form !== "") await terminal.line(`${indent}${" ".repeat(SEVERITY_WIDTH + 1)}${form}`);
}

/**
 * A table of rules: how many rows each checked, and its findings.
 *
 * @param remark a last cell for a rule; without it the table has no such column
 */
export function ruleTable<R extends RuleCounts>(rules: readonly R[], remark?: (rule: R) => string): string[] {
  const head = ["rule", "checked", "errors", "warnings", "infos", ...(remark === undefined ? [] : [""])];
  const cells = rules.map((rule) => [
    rule.rule,
    count(rule.checked),
    ...[rule.errors, rule.warnings, rule.infos].map((number) => (number === 0 ? "" : count(number))),
    ...(remark === undefined ? [] : [remark(rule)]),
  ]);
  return table([head, ...cells], [1, 2, 3, 4]);
}

/** `no errors, 2 warnings, 0 infos`. */
export function countsText({ errors, warnings, infos }: FindingCounts): string {
  const first = errors === 0 ? "no errors" : counted(errors, "error");
  return `${first}, ${counted(warnings, "warning")}, ${counted(infos, "info")}`;
}
