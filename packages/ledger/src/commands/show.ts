import { toHex } from "merostore/internal";
import { command, utc, wholeNumber } from "merostore/internal/commands";
import { printChanges } from "./changes.js";
import { COMMIT_HELP, namedCommit } from "./commits.js";
import { commitJson } from "./log.js";
import { openPage } from "./opening.js";
import { keysInHex, ofPage } from "./options.js";
import { timeText } from "./text.js";

/** Prints a commit, and what it changed since each of its parents. */
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
    if (options.json) await terminal.line(JSON.stringify(commitJson({ commit, isHead, isUnsynced, pruned })));
    else {
      const marks = [isHead && "head", parents.length === 2 && "merge", isUnsynced && "unsynced"].filter(
        Boolean,
      );
      await terminal.line(`commit      ${[toHex(commit.id), ...marks].join("  ")}`);
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
