import { invalidArgument } from "../../errors.js";
import type { ContextSummary, Named } from "../../node/index.js";
import { command } from "../arguments/command.js";
import { text } from "../arguments/option-kinds.js";
import { tableLook } from "../arguments/options.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import type { Cell } from "../output/text.js";
import { checkRecorded, recorded } from "../state/used-state.js";
import { changedText, known, printContext, summaryToJson, withoutRow } from "./context-page.js";
import { existingContext } from "./existing.js";
import type { Labels } from "./labels.js";
import { nodeOptions, withNode } from "./options.js";
import { printPastContext, printPastContexts } from "./past-contexts.js";

/** Prints the contexts of a node, or everything about one. */
export const contexts = command({
  words: "contexts <db> [context]",
  description: "list contexts with their groups, applications and sizes; or describe one",
  options: {
    at: text(
      "<moment>",
      "as of then: a time; of one context also a delta's id or number; of all an operation's",
    ),
    recorded,
    ...nodeOptions,
    ...tableLook,
  },
  help: `A context is given by its name, its id, or at least four first digits of its id. The context with the most deltas
comes first. "deltas" counts the checkpoint of a node that joined later too: only the others have numbers for --at.
"changed" is the time of the newest head by its author's clock. Reads the state and the keys of the deltas once.

--at shows what can be known as of then: of a context its deltas and its root hash, by a replay of the deltas; after an
operation of a namespace's log the contexts of its groups.

Examples:
  merostore contexts node/data
  merostore contexts node/data lobby
  merostore contexts node/data lobby --at 20
  merostore contexts node/data --at 2026-11-21T05:51:40Z
  merostore contexts node/data --json`,

  async run(terminal, { db, context }, options) {
    // A past moment needs all deltas.
    const how = { ...options, at: undefined, partial: options.at === undefined };
    return withNode(terminal, db, how, async (open) => {
      const { at } = options;
      checkRecorded(options);
      if (context !== undefined && terminal.form !== undefined)
        throw invalidArgument("-o is for the list of contexts: --json has everything about one");
      const id = context === undefined ? undefined : await existingContext(open, context);
      if (at !== undefined)
        return id === undefined
          ? printPastContexts(terminal, open, { ...options, at })
          : printPastContext(terminal, open, id, { ...options, at });
      if (id !== undefined) return printContext(terminal, open, id, options);
      const { node, labels } = open;
      const all = (await node.contexts()).toSorted((a, b) => (b.deltas ?? 0) - (a.deltas ?? 0));
      if (options.json) {
        for (const one of all) await terminal.json(summaryToJson(one));
        return 0;
      }
      if (all.length === 0) {
        terminal.remark("no contexts");
        return 0;
      }
      await labels.prepare(all.flatMap(({ context, group, application }) => [context, group, application]));
      await printTable(terminal, listRows(all, labels, options.utc, terminal), FITTING);
      return 0;
    });
  },
});

const FITTING = { right: [1, 2, 3], cut: [6, 5, 0], leave: [3, 2, 6, 4, 5] };

function listRows(
  all: readonly ContextSummary[],
  labels: Labels,
  utc: boolean,
  { sizeCell }: Terminal,
): Cell[][] {
  const name = (thing: Named | undefined): string => (thing === undefined ? "" : labels.name(thing));
  return [
    ["context", "deltas", "rows", "bytes", "changed", "group", "application"],
    ...all.map((one) => [
      labels.of(one.context),
      one.deltas ?? "unknown",
      one.rows ?? "unknown",
      known(one.bytes, sizeCell),
      changedText(one, utc),
      name(one.group),
      one.application === undefined ? withoutRow(one) : name(one.application),
    ]),
  ];
}
