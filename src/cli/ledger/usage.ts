import { toHex } from "../../bytes/hex.js";
import { openLedger } from "../../ledger/index.js";
import { pageNotFound } from "../../ledger/places/index.js";
import type { DamagedUsage } from "../../ledger/repository/index.js";
import { RepositoryView } from "../../ledger/view/index.js";
import { asJson } from "../rows.js";
import type { Terminal } from "../terminal.js";
import { printable, table } from "../text.js";
import { ledgerOf, type PageCommandOptions, pageOf, type RepositoryOptions } from "./opening.js";
import { dateOf, timeText } from "./text.js";

/** Prints when pages were used, the least recently used one first. Returns status 3 if a row is damaged. */
export async function usage(terminal: Terminal, folder: string, options: RepositoryOptions): Promise<number> {
  const stored = await RepositoryView.at(folder, options.engine).usage();
  const pages = stored.pages.toSorted(byTime);
  const status = remarkDamage(terminal, stored.damaged);
  if (asJson(terminal, options)) {
    for (const { ledger, page, closedAt } of pages) {
      const closed = closedAt === undefined ? null : dateOf(closedAt);
      const times = { closed, timestamp: closedAt?.toString() ?? null, open: closedAt === undefined };
      await terminal.line(JSON.stringify({ ledger, page: toHex(page), ...times }));
    }
    return status;
  }
  const cells = pages.map(({ ledger, page, closedAt }) => [
    printable(ledger),
    toHex(page),
    closedAt === undefined ? "open, or its program ended without closing it" : timeText(closedAt),
  ]);
  for (const line of table([["ledger", "page", "closed"], ...cells])) await terminal.line(line);
  return status;
}

/** Reports damaged rows of usage on stderr. Returns status 3 if there are any, else 0. */
export function remarkDamage(terminal: Terminal, damaged: readonly DamagedUsage[]): number {
  for (const { ledger, page, message } of damaged)
    terminal.remark(`merostore: ${printable(ledger)} ${toHex(page)}: DATA_INTEGRITY_ERROR: ${message}`);
  return damaged.length > 0 ? 3 : 0;
}

function byTime(a: { closedAt: bigint | undefined }, b: { closedAt: bigint | undefined }): number {
  if (a.closedAt === b.closedAt) return 0;
  if (a.closedAt === undefined || b.closedAt === undefined) return a.closedAt === undefined ? 1 : -1;
  return a.closedAt < b.closedAt ? -1 : 1;
}

/** Removes a page of which nothing would be lost, or the first such of the repository. Status 1 if there was none. */
export async function evict(
  terminal: Terminal,
  folder: string,
  options: PageCommandOptions,
): Promise<number> {
  const repository = RepositoryView.at(folder, options.engine);
  const id = options.page === undefined ? undefined : pageOf(options.page);
  const [first] = await repository.ledgers();
  // A clean-up is about all ledgers, whichever is open.
  const isForAll = id === undefined && options.name === undefined && first !== undefined;
  const name = isForAll ? first : await ledgerOf(repository, folder, options.name);
  const isThere =
    id === undefined || (await repository.pages(name)).some((page) => toHex(page) === toHex(id));
  if (!isThere) throw pageNotFound(name, id);
  await using ledger = await openLedger(folder, { name, engine: repository.engine });
  const evicted = id === undefined ? await ledger.cleanUp() : await ledger.evict(id);
  if (asJson(terminal, options)) await terminal.line(JSON.stringify({ evicted }));
  else if (evicted)
    terminal.remark(`merostore: removed ${id === undefined ? "a page" : `the page ${toHex(id)}`}`);
  if (!evicted) terminal.remark("merostore: nothing was removed: what is there is in no cloud");
  return evicted ? 0 : 1;
}
