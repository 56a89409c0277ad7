import { toHex } from "merostore/internal";
import { command, type ExitStatus, fitted, type Terminal, table, utc } from "merostore/internal/commands";
import { type DamagedUsage, RepositoryView } from "../index.js";
import { ofRepository } from "./options.js";
import { dateOf, ledgerText, ledgerWord, timeText } from "./text.js";

/** Prints when pages were used, the least recently used one first. Returns status 3 if a row is damaged. */
export const usage = command({
  words: "usage <dir>",
  description: "when pages were used, the least recently used one first",
  options: { utc, ...ofRepository },
  help: `Example:
  merostore ledger usage data

Status 3 if a row is damaged; the other pages are shown. Opening the repository for writing repairs the row: the page
then counts as closed at that time. Dates are shown in local time, or with --utc in UTC.`,

  async run(terminal, { dir }, options) {
    const stored = await RepositoryView.at(dir, options.engine).usage();
    const pages = stored.pages.toSorted(byTime);
    const status = remarkDamage(terminal, stored.damaged);
    if (options.json) {
      for (const { ledger, page, closedAt } of pages) {
        const closed = closedAt === undefined ? null : dateOf(closedAt);
        const times = { closed, timestamp: closedAt?.toString() ?? null, open: closedAt === undefined };
        await terminal.line(JSON.stringify({ ledger: ledgerWord(ledger), page: toHex(page), ...times }));
      }
      return status;
    }
    const cells = pages.map(({ ledger, page, closedAt }) => [
      ledgerText(ledger),
      toHex(page),
      closedAt === undefined
        ? "open, or its program ended without closing it"
        : timeText(closedAt, options.utc),
    ]);
    for (const line of fitted(table([["ledger", "page", "closed"], ...cells]), terminal.width))
      await terminal.line(line);
    return status;
  },
});

/** Reports damaged rows of usage on stderr. Returns status 3 if there are any, else 0. */
export function remarkDamage(terminal: Terminal, damaged: readonly DamagedUsage[]): ExitStatus {
  for (const { ledger, page, message } of damaged)
    terminal.remark(`merostore: ${ledgerText(ledger)} ${toHex(page)}: DATA_INTEGRITY_ERROR: ${message}`);
  return damaged.length > 0 ? 3 : 0;
}

function byTime(a: { closedAt: bigint | undefined }, b: { closedAt: bigint | undefined }): number {
  if (a.closedAt === b.closedAt) return 0;
  if (a.closedAt === undefined || b.closedAt === undefined) return a.closedAt === undefined ? 1 : -1;
  return a.closedAt < b.closedAt ? -1 : 1;
}
