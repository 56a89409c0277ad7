import { count, counted } from "../../bytes/quantity.js";
import { Column } from "../../columns/index.js";
import { invalidArgument } from "../../errors.js";
import { fails, type RuleSummary } from "../../findings/index.js";
import { CalimeroNode } from "../../node/index.js";
import { newerText, revisions, type Schema } from "../../schemas/index.js";
import {
  allRules,
  blobFolder,
  notChecked,
  revisionsOf,
  ruleOf,
  type Summary,
  verifyStore,
  workerThreads,
} from "../../verify/index.js";
import { command, type ExitStatus, type OptionValues } from "../arguments/command.js";
import { flag, text, texts } from "../arguments/option-kinds.js";
import { json, reading, tableForm, verifying } from "../arguments/options.js";
import { parseSelection, remarkNoRows } from "../arguments/selection.js";
import { openDatabase } from "../database/database.js";
import { cellsOf } from "../output/cells.js";
import { wrapped } from "../output/lines.js";
import { fittedTable, printTable, table } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { printable } from "../output/text.js";
import { dataFlag, manifestsOf } from "../state/manifests.js";
import { recordIn } from "../state/used-state.js";
import { applicationData, verifyContexts } from "../state/verify-data.js";
import { encryptionOf, encryptionText } from "./encryption-text.js";
import { findingRow, rowName } from "./finding-row.js";
import { countsText, FindingReport, ruleTable } from "./findings.js";

/**
 * The bytes of the cache for blocks. Rules look up rows near the checked row, mostly in the same context, so a larger
 * cache makes no check faster.
 */
const CACHE_BYTES = 16 * 1024 * 1024;

const options = {
  rule: texts("<names...>", "only these rules"),
  context: text("<id>", "only rows about this context, and the rules about such rows"),
  group: text("<id>", "only rows about this group or namespace, and the rules about such rows"),
  blobs: text("<folder>", "the folder of the blobs' files, to check them too"),
  abi: text("<file>", "decode the application's data too, by this manifest (module, bundle or JSON)"),
  data: dataFlag,
  recorded: text(
    "<file>",
    "root hashes that watch --record kept of the node, which the replay of its deltas must give",
  ),
  list: flag("what every rule checks; no database is opened"),
  ...verifying,
  ...reading,
  json,
  output: tableForm("quiet"),
};

type Options = OptionValues<typeof options>;

/** Checks a database by rules, or explains them. Status 1 if there are errors. */
export const verify = command({
  words: "verify [db]",
  description:
    "check rows against each other: ids, hashes, signatures, logs, trees; what is wrong, and where",
  options,
  help: `Examples:
  merostore verify node/data
  merostore verify node/data --blobs node/blobs
  merostore verify node/data --rule delta-id delta-signature --context DR4KxtEL9jDZqJn1Ur8D2q2Hmrkipjuh3jL6QUmCLyXp
  merostore verify node/data --context lobby --abi kv_store.json
  merostore verify node/data --group office
  merostore verify node/data --data
  merostore verify node/data --json | jq -c 'select(.severity == "error")'
  merostore verify --list

An error is something that no correct node writes. A warning is something that a crash or an unfinished sync can leave
behind. An info is normal, and worth knowing. A single break of a rule about pairs of rows is a warning.
As text, findings are printed by rule below the verdict: ten of each, what they mean, and what to do. --all shows all
of them, and the tables of column families and rules; the memory grows with the findings. --quiet --strict prints
nothing if all is well: for cron. As JSON, each finding is a line, printed at once, and the summary is the last one.
docs/reference/relations.md explains the numbers of --list. No finding shows a secret.
Status 1 if there are errors, damaged files among them, with --strict if there are warnings, too, or if no row names
the context or the group; 3 if the database cannot be opened, or if rules are not checked because an export lacks rows
that they need; 4 if nothing is wrong in what is known, but a node newer than merostore wrote rows that were not
checked.`,

  async run(terminal, { db }, options) {
    const rules = options.rule?.map(ruleOf);
    if (options.list) return list(terminal, rules ?? allRules, options);
    if (db === undefined) {
      throw invalidArgument("name a database, or ask for --list");
    }
    const blobs = options.blobs === undefined ? undefined : await blobFolder(options.blobs);
    await using store = await openDatabase(terminal, db, { ...options, cacheBytes: CACHE_BYTES });
    const { contextId: context, groupId: group } = await parseSelection(options, store);
    const record = recordIn(options.recorded);
    const manifests =
      options.abi === undefined && !options.data
        ? undefined
        : await manifestsOf(terminal, db, [store], context, options);
    const { leftOut } = new CalimeroNode(store).unread;
    await using work = workerThreads();
    const { json } = options;
    const report = new FindingReport(terminal, [...(rules ?? allRules), applicationData], options);
    let summary: Summary;
    {
      using progress = terminal.progress("verify", options.quiet ? "quiet" : json ? "rows" : "nothing");
      const onProgress = progress.show;
      const how = { rules, context, group, blobs, work, record, leftOut, onProgress };
      const verification = verifyStore(store, how);
      for await (const finding of verification)
        await report.add(finding, {}, () => {
          const rowOf = terminal.isForPrograms ? rowName : findingRow;
          return { message: finding.message, row: rowOf(store.schema, finding, terminal.ids) };
        });
      summary = await verification.summary();
      const noData = leftOut?.(Column.State, {});
      if (manifests !== undefined && noData !== undefined)
        summary = withRule(summary, { ...NOT_RUN, skipped: noData, lacking: true });
      else if (manifests !== undefined) {
        const { rule, findings } = await verifyContexts(store, context, manifests);
        for (const finding of findings)
          await report.add(finding, {}, () => ({ message: finding.message, row: "" }));
        summary = withRule(summary, rule);
      }
    }
    const isSilent = options.quiet && options.strict && !json && isWell(summary);
    const isForCron = options.quiet && options.strict && !json && fails(summary, true);
    const more = isForCron ? "; the same command without --quiet shows them" : "";
    if (!isSilent) await report.end(verdictOf(summary) + more, tables(summary, terminal.width), summary);
    const encryption = await encryptionOf(store);
    if (encryption !== undefined && !(isSilent && encryption.foreign === 0))
      terminal.remark(`encryption at rest: ${encryptionText(encryption)}`);
    if ((context ?? group) !== undefined && summary.rows === 0) {
      remarkNoRows(terminal, { contextId: context, groupId: group });
      return 1;
    }
    const lacking = lackingIn(summary);
    for (const reason of lacking) terminal.remark(`${reason}: rules that need them are not checked`);
    if (fails(summary, options.strict)) return 1;
    if (lacking.length > 0) return 3;
    return summary.newer === undefined && summary.maybeNewer === 0 ? 0 : 4;
  },
});

/** Returns whether a check of everything needs no action. */
function isWell(summary: Summary): boolean {
  const isAll = summary.newer === undefined && lackingIn(summary).length === 0;
  return summary.rows > 0 && isAll && !fails(summary, true);
}

/** The summary of the rule about the application's data, if it did not run. */
const NOT_RUN: RuleSummary = { rule: applicationData.name, checked: 0, errors: 0, warnings: 0, infos: 0 };

/** The reasons why rules were not checked, because an export leaves out rows that they need. */
function lackingIn({ rules }: Summary): readonly string[] {
  const reasons = rules.flatMap(({ skipped, lacking }) => (lacking && skipped) ?? []);
  return [...new Set(reasons)];
}

/** The summary with another rule. */
function withRule(summary: Summary, rule: RuleSummary): Summary {
  const { errors, warnings, infos, rules } = summary;
  return {
    ...summary,
    errors: errors + rule.errors,
    warnings: warnings + rule.warnings,
    infos: infos + rule.infos,
    rules: [...rules, rule],
  };
}

function verdictOf(summary: Summary): string {
  const { newer, maybeNewer } = summary;
  const lacking = summary.rules.filter(({ lacking }) => lacking).length;
  const reasons = [
    ...(lacking === 0 ? [] : [`${counted(lacking, "rule")} that need rows which are left out`]),
    ...(newer === undefined ? [] : [newerText(newer)]),
    ...(maybeNewer === 0 ? [] : [`${counted(maybeNewer, "row")} that a newer node may have written`]),
  ];
  const rest = reasons.length === 0 ? "" : `; not all checked: ${reasons.join("; ")}`;
  return `${countsText(summary)}; ${counted(summary.rows, "row")} read as ${summary.revision}${rest}`;
}

/** The tables of column families and of rules. */
function tables({ revision, columns, rules, notChecked }: Summary, width: number | undefined): string[] {
  const families = columns
    .filter(({ rows }) => rows > 0)
    .map(({ column, known, rows, canonical, other, undecodable, unknown }) => [
      known ? column : `${printable(column)} (unknown)`,
      ...[rows, canonical, other, undecodable, unknown].map(count),
    ]);
  const familyHead = ["column family", "rows", "as written", "other bytes", "unreadable", "unknown"];
  return [
    ...fittedTable([familyHead, ...families], { right: [1, 2, 3, 4, 5], cut: [0], leave: [3, 2] }, width),
    "",
    ...ruleTable(rules, width, ({ skipped }) => (skipped === undefined ? "" : `not run: ${skipped}`)),
    ...(notChecked.length === 0 ? [] : ["", `not checked in ${revision}:`]),
    ...notChecked.map(({ what, why }) => `  ${what}: ${why}`),
  ];
}

/** Explains the rules, and lists what no rule checks. */
async function list(
  terminal: Terminal,
  rules: readonly (typeof allRules)[number][],
  options: Options,
): Promise<ExitStatus> {
  const entries = rules.map((rule) => {
    const { name, severity, relations, says, means, advice, pairs = false, needsBlobs = false } = rule;
    const holdsIn = revisionsOf(rule, revisions as readonly Schema[]);
    return { rule: name, severity, relations, revisions: holdsIn, says, means, advice, pairs, needsBlobs };
  });
  if (options.json) {
    for (const entry of [...entries, ...(options.rule === undefined ? notChecked : [])])
      await terminal.json(entry);
    return 0;
  }
  const cells = entries.map(({ rule, severity, relations, revisions, says, pairs, needsBlobs }) => [
    rule,
    pairs ? `${severity}*` : severity,
    relations.join(" "),
    revisions.map((name) => name.replace("core-", "")).join(" "),
    needsBlobs ? `${says} (--blobs)` : says,
  ]);
  if (terminal.isForPrograms) {
    await printTable(terminal, [["rule", "severity", "no.", "revisions", "what should hold"], ...cells], {});
    return 0;
  }
  await terminal.lines(
    listLines([["rule", "", "no.", "revisions", "what should hold"], ...cells], terminal.width),
  );
  await terminal.line("");
  await terminal.line("* a single break, as a crash can leave it between two rows, is a warning");
  if (options.rule !== undefined) return 0;
  await terminal.line("");
  await terminal.line("not checked");
  const others = notChecked.map(({ relation, what, why, since }) => [
    `${relation}`,
    `${what}${since === undefined ? "" : ` (since ${since})`}: ${why}`,
  ]);
  await printTable(terminal, others, { wrap: [1], heads: false });
  return 0;
}

/** Rows of cells whose last cell is a text. The text is below the others if the lines are too long for the terminal. */
function listLines(rows: readonly (readonly string[])[], width: number | undefined): readonly string[] {
  const lines = table(rows);
  if (width === undefined || lines.every((line) => cellsOf(line) <= width)) return lines;
  const heads = table(rows.map((row) => row.slice(0, -1)));
  return heads.flatMap((head, at) => [head, ...wrapped(`    ${rows[at]?.at(-1) ?? ""}`, width, 4)]);
}
