import {
  addSummaries,
  counted,
  type ErrorCode,
  FindingCounter,
  fails,
  isMerostoreError,
  type RuleSummary,
  type RuleText,
  toHex,
} from "merostore/internal";
import {
  command,
  countsText,
  FindingReport,
  printable,
  ruleTable,
  text,
  verifying,
} from "merostore/internal/commands";
import { type Finding, pageRules, RepositoryView, usageRule, verifyPage, verifyUsage } from "../index.js";
import { ledgerName, name, ofRepository, type PageCommandOptions, pageIn } from "./opening.js";
import { ledgerWord } from "./text.js";

/** Failures to open a page that are findings: the files themselves are damaged. */
const DAMAGE: readonly ErrorCode[] = ["DATABASE_DAMAGED", "LOG_DAMAGED", "NOT_A_DATABASE"];

/** Checks the pages of a repository, or one of them. Status 1 if there are errors. */
export const verify = command({
  words: "verify <dir>",
  description: "check rows against each other: ids, digests, heads, trees, references, statuses",
  options: {
    name,
    page: text("<id>", "only this page; all pages unless given"),
    ...verifying,
    ...ofRepository,
  },
  help: `Examples:
  merostore ledger verify data
  merostore ledger verify data --page 00000000000000000000000000000000
  merostore ledger verify data --json | jq -c 'select(.severity == "error")'

An error is something that no sound database has. A warning is something that a crash or an unfinished sync can leave.
An info is normal, and worth knowing. As text, findings are printed by rule: ten of each, what they mean, and what to
do. As JSON, each finding is a line, and so is a summary of each page. docs/ledger-format.md explains the rows and the
rules. The command changes nothing, and shows no value.
Status 1 if there are errors, with --strict if there are warnings, too.`,

  async run(terminal, { dir }, options) {
    const repository = RepositoryView.at(dir, options.engine);
    const pages = await pagesOf(repository, dir, options);
    const { json } = options;
    const report = new FindingReport(terminal, [...pageRules, usageRule, filesRule], { ...options, json });
    const counter = new FindingCounter();
    const take = async (place: Readonly<Record<string, string>>, finding: Finding): Promise<void> => {
      counter.add(finding.severity);
      await report.add(finding, place, () => {
        const where = Object.values(place).map(printable).join(" ");
        return { message: `${finding.message} (${where})`, row: rowText(finding) };
      });
    };
    let rules: readonly RuleSummary[] = [];
    for (const [ledger, id] of pages) {
      const place = { ledger: ledgerWord(ledger), page: toHex(id) };
      using progress = terminal.progress("verify", options.quiet ? "quiet" : json ? "rows" : "nothing");
      try {
        await using view = await repository.page(ledger, id);
        const verification = verifyPage(view.engine, { onProgress: progress.show });
        for await (const finding of verification) await take(place, finding);
        const summary = await verification.summary();
        rules = addSummaries(rules, summary.rules);
        if (json && !options.quiet) await terminal.json({ ...place, summary });
      } catch (error) {
        if (!isMerostoreError(error) || !DAMAGE.includes(error.code)) throw error;
        // The verification continues with the other pages.
        const { name, severity } = filesRule;
        await take(place, { severity, rule: name, kind: null, key: "", message: error.message });
      }
    }
    if (options.page === undefined) {
      await using usage = await repository.openUsage();
      for await (const finding of verifyUsage(usage, repository)) await take({ database: "usage" }, finding);
    }
    const counts = counter.counts();
    const verdict = `${countsText(counts)}; ${counted(pages.length, "page")}`;
    await report.end(verdict, ruleTable(rules, terminal.width), { pages: pages.length, ...counts });
    return fails(counts, options.strict) ? 1 : 0;
  },
});

/** Damaged files are findings too. */
const filesRule: RuleText = {
  name: "files",
  severity: "error",
  says: "The files of a page can be opened.",
  means: "The page cannot be read at all.",
  advice: "Keep the page's folder, and restore a copy of it that verifies.",
};

/** The page that the options name, or all pages of the ledger that they name, or all pages of the repository. */
async function pagesOf(
  repository: RepositoryView,
  dir: string,
  { name, page }: PageCommandOptions,
): Promise<(readonly [ledger: string, id: Uint8Array])[]> {
  if (page !== undefined) {
    const ledger = await ledgerName(repository, dir, name);
    return [[ledger, await pageIn(repository, ledger, page)]];
  }
  const ledgers = name === undefined ? await repository.ledgers() : [await ledgerName(repository, dir, name)];
  const pages: (readonly [string, Uint8Array])[] = [];
  for (const ledger of ledgers) for (const id of await repository.pages(ledger)) pages.push([ledger, id]);
  return pages;
}

/** The row of a finding; empty for a finding about no row. */
function rowText({ kind, key }: Finding): string {
  return key === "" ? "" : `${kind ?? "unknown"} ${key}`;
}
