import { count, size } from "../../bytes/quantity.js";
import { toJsonLine } from "../../bytes/visible.js";
import type { ContextSummary, Named } from "../../node/index.js";
import { command } from "../command.js";
import { fittedTable, shortDate } from "../lines.js";
import { printContext, summaryToJson } from "./context-page.js";
import { existingContext } from "./existing.js";
import type { Labels } from "./labels.js";
import { asking, withNode } from "./options.js";

/** Prints the contexts of a node, or everything about one. */
export const contexts = command({
  words: "contexts <db> [context]",
  description: "contexts with their groups, applications and sizes; or everything about one",
  options: asking,
  help: `A context is given by its name, its id, or at least four first digits of its id. The context with the most deltas
comes first. "changed" is the time of the newest head by its author's clock. Reads the state and the keys of the
deltas once to count them.

Examples:
  merostore contexts node/data
  merostore contexts node/data lobby
  merostore contexts node/data --json`,

  async run(terminal, { db, context }, options) {
    return withNode(terminal, db, options, async (open) => {
      if (context !== undefined)
        return printContext(terminal, open, await existingContext(open, context), options);
      const { node, labels } = open;
      const all = (await node.contexts()).toSorted((a, b) => b.deltas - a.deltas);
      if (options.json) {
        for (const one of all) await terminal.line(toJsonLine(summaryToJson(one)));
        return 0;
      }
      if (all.length === 0) {
        terminal.remark("merostore: no contexts");
        return 0;
      }
      await labels.prepare(all.flatMap(({ context, group, application }) => [context, group, application]));
      for (const line of listLines(all, labels, options.utc, terminal.width)) await terminal.line(line);
      return 0;
    });
  },
});

function listLines(
  all: readonly ContextSummary[],
  labels: Labels,
  utc: boolean,
  width: number | undefined,
): string[] {
  const name = (thing: Named | undefined): string => (thing === undefined ? "" : labels.name(thing));
  const rows = [
    ["context", "deltas", "entries", "bytes", "changed", "group", "application"],
    ...all.map((one) => [
      labels.of(one.context),
      count(one.deltas),
      count(one.entries),
      size(one.bytes),
      one.changedAt === undefined ? "" : shortDate(one.changedAt, utc),
      name(one.group),
      one.application === undefined ? "not joined" : name(one.application),
    ]),
  ];
  return fittedTable(rows, { right: [1, 2, 3], cut: [6, 5], leave: [3, 2, 6, 4, 5] }, width);
}
