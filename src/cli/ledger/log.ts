import { toHex } from "../../bytes/hex.js";
import { isFirst } from "../../ledger/storage/commit.js";
import type { HistoryCommit } from "../../ledger/view/index.js";
import { asJson } from "../rows.js";
import type { Terminal } from "../terminal.js";
import { clip } from "../text.js";
import { openPage, type PageCommandOptions } from "./opening.js";
import { dateOf, shortId, timeText } from "./text.js";

export interface LogOptions extends PageCommandOptions {
  readonly limit?: number | undefined;
}

/** Prints the commits of a page that are on this device, newest first. */
export async function log(terminal: Terminal, folder: string, options: LogOptions): Promise<number> {
  await using page = await openPage(terminal, folder, options);
  const json = asJson(terminal, options);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  for await (const entry of page.view.history()) {
    if (left-- <= 0) break;
    if (json) await terminal.line(JSON.stringify(toJson(entry)));
    else for (const line of linesOf(entry)) await terminal.line(clip(line, terminal.width));
  }
  return 0;
}

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
