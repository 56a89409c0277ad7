import { toHex } from "../../bytes/hex.js";
import { type ErrorCode, isMerostoreError } from "../../errors.js";
import { type Finding, type Severity, verifyPage, verifyUsage } from "../../ledger/verify/index.js";
import { RepositoryView } from "../../ledger/view/index.js";
import { command } from "../command.js";
import { text } from "../option-kinds.js";
import { asJson } from "../rows.js";
import { count, printable, table } from "../text.js";
import { ledgerOf, pageOf } from "./opening.js";
import { name, ofRepository } from "./options.js";

const SHOWN: Readonly<Record<Severity, string>> = { error: "ERROR", warning: "warning", info: "info" };

/** Failures to open a page that are findings: the files themselves are damaged. */
const DAMAGE: readonly ErrorCode[] = ["DATABASE_DAMAGED", "LOG_DAMAGED", "NOT_A_DATABASE"];

interface Counts {
  error: number;
  warning: number;
  info: number;
}

/** Checks the pages of a repository, or one of them. Status 1 if there are errors. */
export const verify = command({
  words: "verify <dir>",
  says: "check rows against each other: ids, digests, heads, trees, references, statuses",
  options: { name, page: text("<id>", "only this page; all pages unless given"), ...ofRepository },
  help: `Examples:
  merostore ledger verify data
  merostore ledger verify data --page 00000000000000000000000000000000
  merostore ledger verify data | jq -c 'select(.severity == "error")'

An error is what no sound database has; a warning what a crash or an unfinished sync can leave; an info is normal, and
worth knowing. For each page a summary says what the rules looked at. Nothing is changed, no value is shown.
Status 1 if there are errors.`,

  async run(terminal, { dir }, options) {
    const { name, page } = options;
    const repository = RepositoryView.at(dir, options.engine);
    const pages: [string, Uint8Array][] = [];
    if (page !== undefined) pages.push([await ledgerOf(repository, dir, name), pageOf(page)]);
    else
      for (const ledger of name === undefined
        ? await repository.ledgers()
        : [await ledgerOf(repository, dir, name)])
        for (const id of await repository.pages(ledger)) pages.push([ledger, id]);
    const json = asJson(terminal, options);
    const counts: Counts = { error: 0, warning: 0, info: 0 };
    const print = async (where: object, finding: Finding): Promise<void> => {
      counts[finding.severity]++;
      if (json) await terminal.line(JSON.stringify({ ...where, ...finding }));
      else for (const line of findingLines(finding)) await terminal.line(line);
    };
    for (const [ledger, id] of pages) {
      const where = { ledger, page: toHex(id) };
      if (!json) await terminal.line(`${printable(ledger)} ${toHex(id)}`);
      using progress = terminal.progress("verify", "rows");
      try {
        await using view = await repository.page(ledger, id);
        const verification = verifyPage(view.engine, { onProgress: (rows) => progress.at(rows) });
        for await (const finding of verification) await print(where, finding);
        const summary = await verification.summary();
        if (json) await terminal.line(JSON.stringify({ ...where, summary }));
        else {
          const cells = summary.rules.map((rule) => [
            rule.rule,
            ...[rule.checked, rule.errors, rule.warnings, rule.infos].map((number, at) =>
              number === 0 && at > 0 ? "" : count(number),
            ),
          ]);
          const lines = table([["rule", "checked", "errors", "warnings", "infos"], ...cells], [1, 2, 3, 4]);
          for (const line of lines) await terminal.line(`  ${line}`);
        }
      } catch (error) {
        if (!isMerostoreError(error) || !DAMAGE.includes(error.code)) throw error;
        // The other pages are checked all the same.
        await print(where, { severity: "error", rule: "files", kind: null, key: "", message: error.message });
      }
    }
    if (page === undefined) {
      await using usage = await repository.openUsage();
      for await (const finding of verifyUsage(usage, repository)) await print({ database: "usage" }, finding);
    }
    const { error: errors, warning: warnings, info: infos } = counts;
    if (json) await terminal.line(JSON.stringify({ pages: pages.length, errors, warnings, infos }));
    else {
      const verdict = errors === 0 ? "no errors" : `${count(errors)} errors`;
      await terminal.line(
        `${verdict}, ${count(warnings)} warnings, ${count(infos)} infos; ${count(pages.length)} pages`,
      );
    }
    return errors > 0 ? 1 : 0;
  },
});

/** A finding on two lines: what it means, and of which row. */
function findingLines({ severity, rule, kind, key, message }: Finding): string[] {
  const row = key === "" ? [] : [`           ${kind ?? "unknown"} ${key}`];
  return [`  ${SHOWN[severity].padEnd(8)} ${rule}: ${printable(message)}`, ...row];
}
