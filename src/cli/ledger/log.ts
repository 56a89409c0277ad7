import { toHex } from "../../bytes/hex.js";
import { isFirst } from "../../ledger/storage/commit.js";
import type { HistoryCommit } from "../../ledger/view/index.js";
import { command } from "../command.js";
import { wholeNumber } from "../option-kinds.js";
import { asJson } from "../rows.js";
import { clip } from "../text.js";
import { openPage } from "./opening.js";
import { ofPage } from "./options.js";
import { dateOf, shortId, timeText } from "./text.js";

/** Prints the commits of a page that are on this device, newest first. */
export const log = command({
  words: "log <dir>",
  description: "commits of a page, newest first: generation, time, parents, root",
  options: { limit: wholeNumber("<n>", "at most this many"), ...ofPage },
  help: `Examples:
  merostore ledger log data --limit 10
  merostore ledger log data | jq -r 'select(.merge) | .id'

head: no commit comes after it; merge: it has two parents; unsynced: no cloud has it. A ledger without a cloud removes
the commits before the newest common ancestor of all commits in use; "pruned" lists the parents that it removed.`,

  async run(terminal, { dir }, options) {
    await using page = await openPage(terminal, dir, options);
    const json = asJson(terminal, options);
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for await (const entry of page.view.history()) {
      if (left-- <= 0) break;
      if (json) await terminal.line(JSON.stringify(toJson(entry)));
      else for (const line of linesOf(entry)) await terminal.line(clip(line, terminal.width));
    }
    return 0;
  },
});

function toJson({ commit, isHead, isUnsynced, pruned }: HistoryCommit): object {
  const { id, generation, timestamp, parents, root } = commit;
  return {
    id: toHex(id),
    generation: generation.toString(),
    timestamp: timestamp.toString(),
    time: dateOf(timestamp),
    parents: parents.map(toHex),
    root: toHex(root.digest),
    head: isHead,
    merge: parents.length === 2,
    unsynced: isUnsynced,
    pruned: pruned.map(toHex),
  };
}

function linesOf({ commit, isHead, isUnsynced, pruned }: HistoryCommit): string[] {
  const { id, generation, timestamp, parents, root } = commit;
  const marks = [isHead && "head", parents.length === 2 && "merge", isUnsynced && "unsynced"].filter(Boolean);
  if (isFirst(id))
    return [
      `${toHex(id).slice(0, 16)}  0  the empty page, from which every page begins  ${marks.join(" ")}`.trimEnd(),
    ];
  const first =
    `${toHex(id).slice(0, 16)}  ${generation}  ${timeText(timestamp)}  ${marks.join(" ")}`.trimEnd();
  const second = `${" ".repeat(18)}after ${parents.map(shortId).join(" and ")}, root ${toHex(root.digest).slice(0, 10)}…`;
  if (pruned.length === 0) return [first, second];
  const ends = `${" ".repeat(18)}pruned before it: ${pruned.map(shortId).join(", ")}`;
  return [first, second, ends];
}
