import { toHex } from "merostore/internal";
import { clip, command, flag, Graph, type Linked, upTo, utc, wholeNumber } from "merostore/internal/commands";
import { type HistoryCommit, isFirst } from "../index.js";
import { printChanges } from "./diff.js";
import { COMMIT_HELP, keysInHex, namedCommit, ofPage, openPage } from "./opening.js";
import { dateOf, shortId, timeText } from "./text.js";

/** Prints the commits of a page that are on this device, newest first. */
export const log = command({
  words: "log <dir>",
  description: "commits of a page, newest first: generation, time, parents, root",
  options: {
    limit: wholeNumber("<n>", "at most this many"),
    graph: flag("draw who follows whom beside the lines", { conflicts: ["json"] }),
    utc,
    ...ofPage,
  },
  help: `Examples:
  merostore ledger log data --limit 10
  merostore ledger log data --graph
  merostore ledger log data --json | jq -r 'select(.merge) | .id'

head: no commit comes after it; merge: it has two parents; unsynced: no cloud has it. A ledger without a cloud removes
the commits before the newest common ancestor of all commits in use; "pruned" lists the parents that it removed.
--graph draws the commits that are here: a lane without an end goes on with commits beyond the limit.
Dates are shown in local time, or with --utc in UTC.`,

  async run(terminal, { dir }, options) {
    await using page = await openPage(terminal, dir, options);
    const { json } = options;
    const graph = options.graph ? new Graph(terminal.width) : undefined;
    for await (const entry of upTo(terminal, options, page.view.history())) {
      if (json) {
        await terminal.json(commitJson(entry));
        continue;
      }
      const texts = linesOf(entry, terminal.ids.whole, options.utc);
      const lines = (await graph?.lines(linkedOf(entry), async () => texts)) ?? texts;
      await terminal.lines(lines.map((line) => clip(line, terminal.width)));
    }
    return 0;
  },
});

/** The links between the commits that are here. */
function linkedOf({ commit, pruned }: HistoryCommit): Linked {
  const removed = pruned.map(toHex);
  const parents = commit.parents.map(toHex).filter((id) => !removed.includes(id));
  return { id: toHex(commit.id), parents };
}

/** A commit as a JSON object. */
export function commitJson({ commit, isHead, isUnsynced, pruned }: HistoryCommit): object {
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

function marksOf({ commit, isHead, isUnsynced }: HistoryCommit): string[] {
  const isMerge = commit.parents.length === 2;
  return [...(isHead ? ["head"] : []), ...(isMerge ? ["merge"] : []), ...(isUnsynced ? ["unsynced"] : [])];
}

function linesOf(entry: HistoryCommit, whole: boolean, utc?: boolean): string[] {
  const { commit, pruned } = entry;
  const { id, generation, timestamp, parents, root } = commit;
  const marks = marksOf(entry).join(" ");
  const shown = whole ? toHex(id) : toHex(id).slice(0, 16);
  const rootText = whole ? toHex(root.digest) : `${toHex(root.digest).slice(0, 10)}…`;
  const idsText = (ids: readonly Uint8Array[], and: string): string =>
    ids.map((one) => shortId(one, whole)).join(and);
  const indent = " ".repeat(shown.length + 2);
  if (isFirst(id)) return [`${shown}  0  the empty page, from which every page begins  ${marks}`.trimEnd()];
  const first = `${shown}  ${generation}  ${timeText(timestamp, utc)}  ${marks}`.trimEnd();
  const second = `${indent}after ${idsText(parents, " and ")}, root ${rootText}`;
  if (pruned.length === 0) return [first, second];
  const ends = `${indent}pruned before it: ${idsText(pruned, ", ")}`;
  return [first, second, ends];
}

/** Prints a commit, and its changes since each of its parents. */
export const show = command({
  words: "show <dir> <commit>",
  description: "a commit: its parents and time, and the entries that it changed",
  options: { limit: wholeNumber("<n>", "at most this many changes"), hex: keysInHex, utc, ...ofPage },
  help: `Examples:
  merostore ledger show data head
  merostore ledger show data head --json --limit 10

${COMMIT_HELP}
A merge has two parents: the changes since each of them are shown. A parent that was removed has no entries to compare
with. In JSON the first line is the commit; "since" of the others is the parent.
The date is shown in local time, or with --utc in UTC.`,

  async run(terminal, { dir, commit: name }, options) {
    await using page = await openPage(terminal, dir, options);
    const { view } = page;
    const commit = await namedCommit(terminal, view, name);
    const parents = await Promise.all(
      commit.parents.map(async (id) => ({ id, found: await view.commits.find(id) })),
    );
    const pruned = parents.filter(({ found }) => found === undefined).map(({ id }) => id);
    const isHead = (await view.heads()).some(({ id }) => toHex(id) === toHex(commit.id));
    const isUnsynced = await view.commits.isUnsynced(commit.id);
    const entry = { commit, isHead, isUnsynced, pruned };
    if (options.json) await terminal.json(commitJson(entry));
    else {
      await terminal.line(`commit      ${[toHex(commit.id), ...marksOf(entry)].join("  ")}`);
      await terminal.line(`generation  ${commit.generation}`);
      await terminal.line(`time        ${timeText(commit.timestamp, options.utc)}`);
      await terminal.line(`root        ${toHex(commit.root.digest)}`);
    }
    for (const { id, found } of parents) {
      const isElsewhere = found !== undefined && (await view.isOnlyInCloud(found));
      const mark = found === undefined ? "  removed" : isElsewhere ? "  only in the cloud" : "";
      if (!options.json) await terminal.line(`since       ${toHex(id)}${mark}`);
      if (found !== undefined && !isElsewhere)
        await printChanges(terminal, view, [found, commit], options, { since: toHex(id) });
    }
    return 0;
  },
});
