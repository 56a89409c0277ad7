import { toHex } from "merostore/internal";
import {
  command,
  type ExitStatus,
  fitted,
  type Terminal,
  table,
  text,
  utc,
} from "merostore/internal/commands";
import { type DamagedUsage, openRepository, RepositoryView } from "../index.js";
import { checkPage, ledgerName, name, ofRepository, pageIn } from "./opening.js";
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
        await terminal.json({ ledger: ledgerWord(ledger), page: toHex(page), ...times });
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
    await terminal.lines(fitted(table([["ledger", "page", "closed"], ...cells]), terminal.width));
    return status;
  },
});

/** Reports damaged rows of usage on stderr. Returns status 3 if there are any, else 0. */
export function remarkDamage(terminal: Terminal, damaged: readonly DamagedUsage[]): ExitStatus {
  for (const { ledger, page, message } of damaged)
    terminal.remark(`${ledgerText(ledger)} ${toHex(page)}: DATA_INTEGRITY_ERROR: ${message}`);
  return damaged.length > 0 ? 3 : 0;
}

function byTime(a: { closedAt: bigint | undefined }, b: { closedAt: bigint | undefined }): number {
  if (a.closedAt === b.closedAt) return 0;
  if (a.closedAt === undefined || b.closedAt === undefined) return a.closedAt === undefined ? 1 : -1;
  return a.closedAt < b.closedAt ? -1 : 1;
}

/** Removes the named page, or the first page that can go without a loss. Status 1 if none can. */
export const evict = command({
  words: "evict <dir>",
  description: "remove a page from this device if nothing of it would be lost",
  writes: true,
  options: {
    name,
    page: text("<id>", "this page; the first that can be removed unless given"),
    ...ofRepository,
  },
  help: `Examples:
  merostore ledger evict data
  merostore ledger evict data --page 00112233445566778899aabbccddeeff

A page can be removed if all of it is in the cloud, or if it is empty, has no older commits and was never online.
Without --page, the command removes the least recently used page that can be removed. Status 1 if nothing was removed.`,

  async run(terminal, { dir }, options) {
    const repository = RepositoryView.at(dir, options.engine);
    const { name, id } = await namedPage(repository, dir, options);
    await using opened = await openRepository(dir, { engine: repository.engine, history: "keep" });
    const evicted = id === undefined ? await opened.cleanUp() : await (await opened.ledger(name)).evict(id);
    if (options.json) await terminal.json({ evicted });
    else if (evicted) terminal.remark(`removed ${id === undefined ? "a page" : `the page ${toHex(id)}`}`);
    if (!evicted) terminal.remark("nothing was removed: the clouds lack some of the commits here");
    return evicted ? 0 : 1;
  },
});

/** The ledger and the page that the options name. A clean-up without --page covers all ledgers. */
async function namedPage(
  repository: RepositoryView,
  folder: string,
  { name: given, page }: { readonly name?: string | undefined; readonly page?: string | undefined },
): Promise<{ readonly name: string; readonly id: Uint8Array | undefined }> {
  const [first] = await repository.ledgers();
  const isForAll = page === undefined && given === undefined && first !== undefined;
  const name = isForAll ? first : await ledgerName(repository, folder, given);
  if (page === undefined) return { name, id: undefined };
  const id = await pageIn(repository, name, page);
  await checkPage(repository, name, id);
  return { name, id };
}
