import { toHex } from "../../bytes/hex.js";
import { type ErrorCode, isMerostoreError } from "../../errors.js";
import { type Finding, type Severity, verifyPage, verifyUsage } from "../../ledger/verify/index.js";
import { RepositoryView } from "../../ledger/view/index.js";
import { command } from "../command.js";
import { countsText, type FindingCounts, printFinding, ruleTable } from "../findings.js";
import { text } from "../option-kinds.js";
import { counted, printable } from "../text.js";
import { ledgerName, type PageCommandOptions, parsePageId } from "./opening.js";
import { name, ofRepository } from "./options.js";

/** Failures to open a page that are findings: the files themselves are damaged. */
const DAMAGE: readonly ErrorCode[] = ["DATABASE_DAMAGED", "LOG_DAMAGED", "NOT_A_DATABASE"];

/** Checks the pages of a repository, or one of them. Status 1 if there are errors. */
export const verify = command({
  words: "verify <dir>",
  says: "check rows against each other: ids, digests, heads, trees, references, statuses",
  options: { name, page: text("<id>", "only this page; all pages unless given"), ...ofRepository },
  help: `Examples:
  merostore ledger verify data
  merostore ledger verify data --page 00000000000000000000000000000000
  merostore ledger verify data --json | jq -c 'select(.severity == "error")'

An error is something that no sound database has; a warning is something that a crash or an unfinished sync can leave;
an info is normal, and worth knowing. A summary of each page counts what the rules checked. The command changes
nothing, and shows no value.
Status 1 if there are errors.`,

  async run(terminal, { dir }, options) {
    const repository = RepositoryView.at(dir, options.engine);
    const pages = await pagesOf(repository, dir, options);
    const { json } = options;
    const found: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
    const print = (place: object, finding: Finding): Promise<void> => {
      found[finding.severity]++;
      return printFinding(terminal, finding, json ? { ...place, ...finding } : rowText(finding), INDENT);
    };
    for (const [ledger, id] of pages) {
      const place = { ledger, page: toHex(id) };
      if (!json) await terminal.line(`${printable(ledger)} ${toHex(id)}`);
      using progress = terminal.progress("verify", "rows");
      try {
        await using view = await repository.page(ledger, id);
        const verification = verifyPage(view.engine, { onProgress: (rows) => progress.at(rows) });
        for await (const finding of verification) await print(place, finding);
        const summary = await verification.summary();
        if (json) await terminal.line(JSON.stringify({ ...place, summary }));
        else for (const line of ruleTable(summary.rules)) await terminal.line(`${INDENT}${line}`);
      } catch (error) {
        if (!isMerostoreError(error) || !DAMAGE.includes(error.code)) throw error;
        // The verification continues with the other pages.
        await print(place, { severity: "error", rule: "files", kind: null, key: "", message: error.message });
      }
    }
    if (options.page === undefined) {
      await using usage = await repository.openUsage();
      for await (const finding of verifyUsage(usage, repository)) await print({ database: "usage" }, finding);
    }
    const counts: FindingCounts = { errors: found.error, warnings: found.warning, infos: found.info };
    if (json) await terminal.line(JSON.stringify({ pages: pages.length, ...counts }));
    else await terminal.line(`${countsText(counts)}; ${counted(pages.length, "page")}`);
    return counts.errors > 0 ? 1 : 0;
  },
});

/** Lines about a page stand below its name. */
const INDENT = "  ";

/** The page that the options name, or all pages of the ledger that they name, or all pages of the repository. */
async function pagesOf(
  repository: RepositoryView,
  dir: string,
  { name, page }: PageCommandOptions,
): Promise<(readonly [ledger: string, id: Uint8Array])[]> {
  if (page !== undefined) return [[await ledgerName(repository, dir, name), parsePageId(page)]];
  const ledgers = name === undefined ? await repository.ledgers() : [await ledgerName(repository, dir, name)];
  const pages: (readonly [string, Uint8Array])[] = [];
  for (const ledger of ledgers) for (const id of await repository.pages(ledger)) pages.push([ledger, id]);
  return pages;
}

/** The row of a finding; empty for a finding about no row. */
function rowText({ kind, key }: Finding): string {
  return key === "" ? "" : `${kind ?? "unknown"} ${key}`;
}
