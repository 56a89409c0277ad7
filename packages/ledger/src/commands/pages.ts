import { count, isMerostoreError, size, toHex } from "merostore/internal";
import { command, fitted, table, utc } from "merostore/internal/commands";
import { entryRuns, isFirst, type LastSync, type PageView, RepositoryView } from "../index.js";
import { ofRepository } from "./opening.js";
import { dateOf, ledgerText, ledgerWord, timeText } from "./text.js";
import { remarkDamage } from "./usage.js";

/** The state of a page. */
interface PageState {
  readonly entries: number;
  readonly heads: number;
  readonly generation: bigint;
  /** When the newest head was made, in nanoseconds since 1970; undefined for a page without commits. */
  readonly changedAt: bigint | undefined;
  readonly empty: boolean;
  readonly synced: boolean;
  readonly online: boolean;
  readonly lastSync: LastSync | undefined;
}

/** The column that is left out if no page was synced. */
const LAST_SYNC = 8;

/** Prints the ledgers and pages of a repository. Status 3 if some could not be read. */
export const pages = command({
  words: "pages <dir>",
  description: "ledgers and pages: entries, heads, generation, size on disk, when changed and used",
  options: { utc, ...ofRepository },
  help: `Examples:
  merostore ledger pages data
  merostore ledger pages data --json | jq -r 'select(.ledger == "contacts") | .page'

Entries are those of the head where a connection begins. changed: when the newest commit was made, by the clock
of its device; used: when the last connection was closed. empty: no entries; synced: all of it is in the cloud; online:
it was in the cloud or at a peer once; last sync: when page and cloud last had all of each other.
Dates are shown in local time, or with --utc in UTC. The name of a ledger that is
not UTF-8 is shown, and taken by other commands, as 0x and hex digits. Counting reads the nodes of the tree, no values.
Status 3 if a page could not be read; the others are shown.`,

  async run(terminal, { dir }, options) {
    const repository = RepositoryView.at(dir, options.engine);
    const usage = await repository.usage();
    const { json } = options;
    const cells: string[][] = [];
    let isAnySynced = false;
    let status = remarkDamage(terminal, usage.damaged);
    for (const ledger of await repository.ledgers())
      for (const id of await repository.pages(ledger)) {
        terminal.check();
        const used = usage.pages.find((one) => one.ledger === ledger && toHex(one.page) === toHex(id));
        const bytes = await repository.size(ledger, id);
        let page: PageState | undefined;
        let error: string | undefined;
        try {
          await using view = await repository.page(ledger, id);
          page = await pageState(view);
        } catch (cause) {
          if (!isMerostoreError(cause)) throw cause;
          // The command goes on with the other pages.
          error = cause.message;
          terminal.remark(`${ledgerText(ledger)} ${toHex(id)}: ${cause.code}: ${cause.message}`);
          status = 3;
        }
        const isOpen = used !== undefined && used.closedAt === undefined;
        if (json) {
          const closed = used?.closedAt === undefined ? null : dateOf(used.closedAt);
          const state = page && stateJson(page);
          const named = { ledger: ledgerWord(ledger), page: toHex(id) };
          await terminal.json({ ...named, bytes, closed, open: isOpen, ...state, ...(error && { error }) });
          continue;
        }
        const when = isOpen
          ? "open"
          : used?.closedAt === undefined
            ? ""
            : timeText(used.closedAt, options.utc);
        const numbers =
          page === undefined ? ["", "", ""] : [count(page.entries), count(page.heads), `${page.generation}`];
        const marks =
          page === undefined
            ? ["unreadable"]
            : (["empty", "synced", "online"] as const).filter((mark) => page[mark]);
        const changed = page?.changedAt === undefined ? "" : timeText(page.changedAt, options.utc);
        const synced =
          page?.lastSync && timeText(BigInt(page.lastSync.at.getTime()) * 1_000_000n, options.utc);
        if (synced !== undefined) isAnySynced = true;
        const times = [changed, when, synced ?? ""];
        cells.push([ledgerText(ledger), toHex(id), ...numbers, size(bytes), ...times, marks.join(" ")]);
      }
    if (json) return status;
    const times = ["changed", "used", "last sync"];
    const head = ["ledger", "page", "entries", "heads", "generation", "on disk", ...times, ""];
    const shown = [head, ...cells].map((line) => line.filter((_, at) => isAnySynced || at !== LAST_SYNC));
    await terminal.lines(fitted(table(shown, [2, 3, 4, 5]), terminal.width));
    return status;
  },
});

/** Counts the entries of the head that is shown, and takes the generation of the newest. */
async function pageState(view: PageView): Promise<PageState> {
  const heads = await view.heads();
  const shown = await view.shownHead(heads);
  let entries = 0;
  for await (const run of entryRuns(view.objects, shown.root)) entries += run.length;
  const generation = heads.map((head) => head.generation).reduce((a, b) => (a > b ? a : b), 0n);
  const changedAt = heads
    .filter(({ id }) => !isFirst(id))
    .map(({ timestamp }) => timestamp)
    .reduce<bigint | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
  const { empty, synced, online } = await view.state();
  const lastSync = await view.lastSync();
  return { entries, heads: heads.length, generation, changedAt, empty, synced, online, lastSync };
}

function stateJson({ changedAt, generation, lastSync, ...state }: PageState): object {
  const changed = changedAt === undefined ? null : dateOf(changedAt);
  return { ...state, generation: generation.toString(), changed, lastSync: lastSync ?? null };
}
