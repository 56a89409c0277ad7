/** docs/reference/relations.md, from the declarations of relations, rules and references. */
import { revisions, type Schema } from "../../src/schemas/index.js";
import {
  allRules,
  notChecked,
  type Rule,
  references,
  relations,
  revisionsOf,
} from "../../src/verify/index.js";
import { markdownTable } from "./markdown.js";

/** Returns the text of docs/reference/relations.md. */
export function relationsDocument(): string {
  return [
    "# Relations and rules",
    "",
    "`merostore verify` checks that the rows of a node's database agree with each other. This page lists what should hold:",
    "54 relations, numbered as `verify --list` cites them; the rules that check each, in which revisions; what is not checked",
    "and why; and the references between rows that rules follow. The sentences about rules are those that `verify` prints.",
    "The page is generated from the rules: `npm run docs`.",
    "",
    ...relations.flatMap(({ title, relations }) => [
      `## ${title}`,
      "",
      ...markdownTable(
        ["no.", "what should hold", "checked by"],
        relations.map(({ number, says }) => [`${number}`, says, checkedBy(number)]),
      ),
      "",
    ]),
    "## Not checked",
    "",
    ...markdownTable(
      ["no.", "what", "why no rule checks it"],
      notChecked.map(({ relation, what, why, since }) => [
        `${relation}`,
        since === undefined ? what : `${what} (since ${since})`,
        why,
      ]),
    ),
    "",
    "[what-verify-cannot-see.md](what-verify-cannot-see.md) lists the rows and fields that no other row depends on.",
    "",
    "## Rules",
    "",
    "An error is something that no correct node writes, a warning something that a crash or an unfinished sync can leave, an",
    "info is normal. The severity is that of most findings of a rule. A single break of a rule with * is a warning, because",
    "a crash between two writes can cause it. Rules with † read the files of blobs, and run with `--blobs`.",
    "",
    ...markdownTable(
      ["rule", "severity", "revisions", "what should hold", "what a finding means", "what to do"],
      allRules.map((rule) => [
        `\`${rule.name}\`${rule.needsBlobs ? "†" : ""}`,
        rule.pairs ? `${rule.severity}*` : rule.severity,
        namesOf(rule),
        rule.says,
        rule.means,
        rule.advice,
      ]),
    ),
    "",
    "## References",
    "",
    "A row of the first kind names a row of the second kind, which must exist.",
    "",
    ...markdownTable(["row", "names", "revisions", "rule"], referenceRows()),
    "",
  ].join("\n");
}

function checkedBy(number: number): string {
  const rules = allRules.filter((rule) => rule.relations.includes(number));
  return rules.map((rule) => `\`${rule.name}\` (${namesOf(rule)})`).join(", ");
}

/** The revisions of a rule: `0.10, 0.11`. */
function namesOf(rule: Rule): string {
  const names = revisionsOf(rule, revisions as readonly Schema[]);
  return names.length === revisions.length ? "all" : shortNames(names);
}

function shortNames(names: readonly string[]): string {
  return names.map((name) => name.replace("core-", "")).join(", ");
}

/** The references by row, each once. */
function referenceRows(): string[][] {
  const rows = references.map(({ from, to, revisions, rule }) => [
    from.KIND,
    to.KIND,
    shortNames(revisions.map(({ name }) => name)),
    `\`${rule}\``,
  ]);
  const lines = new Map(rows.map((row) => [row.join(" "), row]));
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
