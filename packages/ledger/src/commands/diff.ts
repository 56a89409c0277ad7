import { size, toHex } from "merostore/internal";
import { clip, command, MORE, type Terminal, wholeNumber } from "merostore/internal/commands";
import {
  type Commit,
  differencesOf,
  type EntryDifference,
  type EntryVersion,
  type PageView,
} from "../index.js";
import { readValue } from "./entries.js";
import { COMMIT_HELP, keysInHex, namedCommit, ofPage, openPage } from "./opening.js";
import { readable, utf8Text } from "./text.js";

/** Options of the printed changes. */
export interface ChangeOptions {
  readonly json?: boolean | undefined;
  readonly hex?: boolean | undefined;
  /** The most changes to print. */
  readonly limit?: number | undefined;
}

/**
 * Prints the changes from one commit to another, in the order of the keys.
 * @param since the commit that JSON names beside each change
 * @returns whether there are changes, even if the limit is 0
 */
export async function printChanges(
  terminal: Terminal,
  view: PageView,
  [before, after]: readonly [Commit, Commit],
  options: ChangeOptions,
  since: object = {},
): Promise<boolean> {
  let found = false;
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const change of differencesOf(view.objects, before, after)) {
    if (left-- <= 0) {
      if (options.json) await terminal.line(MORE);
      return true;
    }
    const sizes = { before: await sizeOf(view, change.before), after: await sizeOf(view, change.after) };
    const line = options.json
      ? JSON.stringify({ ...since, ...toJson(change, sizes) })
      : clip(lineOf(change, sizes, options.hex), terminal.width);
    await terminal.line(line);
    found = true;
  }
  return found;
}

/** The bytes of the values; null for a value that is not here or damaged, undefined without an entry. */
interface Sizes {
  readonly before: number | null | undefined;
  readonly after: number | null | undefined;
}

async function sizeOf(view: PageView, entry: EntryVersion | undefined): Promise<number | null | undefined> {
  return entry && ((await readValue(view, entry, false)).bytes ?? null);
}

function toJson({ key, before, after }: EntryDifference, sizes: Sizes): object {
  const text = utf8Text(key);
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const priority = (after ?? before)?.priority;
  return { change, key: toHex(key), ...(text !== undefined && { text }), priority, ...sizes };
}

function lineOf({ key, before, after }: EntryDifference, sizes: Sizes, asHex = false): string {
  const name = readable(key, asHex);
  const text = (bytes: number | null | undefined): string => (bytes == null ? "not here" : size(bytes));
  if (before === undefined) return `+ ${name}  ${text(sizes.after)}`;
  if (after === undefined) return `- ${name}  ${text(sizes.before)}`;
  const priority = before.priority === after.priority ? "" : `, ${before.priority} → ${after.priority}`;
  return `~ ${name}  ${text(sizes.before)} → ${text(sizes.after)}${priority}`;
}

/** Prints which entries differ between two commits of a page. Returns status 1 if any do. */
export const diff = command({
  words: "diff <dir> <before> <after>",
  description: "entries that differ between two commits of a page",
  options: { limit: wholeNumber("<n>", "at most this many"), hex: keysInHex, ...ofPage },
  help: `Examples:
  merostore ledger diff data first head
  merostore ledger diff data head head --json

+ added, - removed, ~ changed, with the sizes of the values. Parts that both commits share are not read.
${COMMIT_HELP}
Status 1 if entries differ.`,

  async run(terminal, { dir, before, after }, options) {
    await using page = await openPage(terminal, dir, options);
    const pair = [
      await namedCommit(terminal, page.view, before),
      await namedCommit(terminal, page.view, after),
    ] as const;
    return (await printChanges(terminal, page.view, pair, options)) ? 1 : 0;
  },
});
