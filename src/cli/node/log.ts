import { toJsonLine } from "../../bytes/visible.js";
import { invalidArgument } from "../../errors.js";
import { type Delta, deltaToJson, operationToJson } from "../../node/index.js";
import type { StateChange } from "../../state/index.js";
import { command } from "../command.js";
import { flag, text, wholeNumber } from "../option-kinds.js";
import { changesToJson, historyFor } from "../state/delta-changes.js";
import { manifestOptions } from "../state/manifest-file.js";
import { hints } from "../state/used-state.js";
import type { Terminal } from "../terminal.js";
import { deltaLines, type LineOptions, operationLines } from "./history-lines.js";
import { asking, withNode } from "./options.js";

/** Bytes of deltas that are read for the times of operations without being asked. */
const QUICK_BYTES = 16 * 1024 * 1024;

/** Prints the operations of a group, or the deltas of a context, in words. */
export const log = command({
  words: "log <db> <thing>",
  description: "the history of a group or a context in words, newest first",
  options: {
    limit: wholeNumber("<n>", "at most this many, the newest"),
    since: text("<time>", "leave out what is older: 2026-11-21, 2026-11-21T05:51Z"),
    patch: flag("also the fields of operations, and each action of deltas"),
    own: flag("of a group: its own log, which has what this node applied, in its order"),
    ...manifestOptions,
    hints,
    times: flag("when operations were made, as far as deltas tell: reads all deltas"),
    ...asking,
  },
  help: `A group or context is given by its name, its id, or at least four first digits of its id.

A namespace's log is the same on all nodes; that of a group is those operations of it that are about the group.
Operations are decrypted with the keys that the database holds, and shown as encrypted where it does not hold the
key. The number is that of the operation in the namespace's log: concurrent ones can have the same. Operations have
no time; --times finds bounds in the deltas of the contexts, and is on where these are small.

Examples:
  merostore log node/data office --limit 10
  merostore log node/data office --own
  merostore log node/data lobby --limit 3 --patch
  merostore log node/data lobby --since 2026-11-21T05:51:40Z --json`,

  async run(terminal, { db, thing }, options) {
    return withNode(terminal, db, options, async ({ store, node, labels }) => {
      const { limit, patch, utc } = options;
      const since = sinceOf(options.since);
      const of = await node.resolve(thing, ["namespace", "group", "context"]);
      const how = { labels, width: terminal.width, utc, patch };
      if (of.kind === "context") {
        const history = patch ? await historyFor(terminal, db, store, of.id, options) : undefined;
        for await (const delta of node.deltas(of.id, { limit })) {
          if (since !== undefined && (delta.time ?? since) < since) continue;
          await printDelta(terminal, delta, await history?.changes(delta.id), how, options);
        }
        return 0;
      }
      const small = (await store.raw.approximateSize("Delta")) <= QUICK_BYTES;
      const times = options.times || small || since !== undefined;
      const operations = options.own
        ? node.groupLog(of.id, { limit })
        : node.history(of.id, { limit, times });
      for await (const operation of operations) {
        if (since !== undefined && (operation.time?.before ?? since) < since) continue;
        if (options.json) await terminal.line(toJsonLine(operationToJson(operation)));
        else for (const line of await operationLines(operation, how)) await terminal.line(line);
      }
      return 0;
    });
  },
});

/** Prints a delta, with its changes of the application's data if they are known. */
export async function printDelta(
  terminal: Terminal,
  delta: Delta,
  changes: readonly StateChange[] | undefined,
  how: LineOptions,
  { json }: { readonly json: boolean },
): Promise<void> {
  if (json) {
    const more = changes && { changes: changesToJson(changes) };
    await terminal.line(toJsonLine({ ...deltaToJson(delta), ...more }));
  } else for (const line of await deltaLines(delta, how, changes)) await terminal.line(line);
}

/** Milliseconds since 1970 of a time as it is typed. */
function sinceOf(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const time = Date.parse(typed);
  if (Number.isNaN(time))
    throw invalidArgument("--since takes a date or a time, for example 2026-11-21 or 2026-11-21T05:51Z");
  return time;
}
