import { counted } from "../../bytes/quantity.js";
import { type StuckDelta, stuck as stuckOf } from "../../why/index.js";
import { command } from "../arguments/command.js";
import { json, reading, tableForm } from "../arguments/options.js";
import type { IdLook } from "../output/id-look.js";
import { programRows } from "../output/table.js";
import { printable, short } from "../output/text.js";
import { sideLabels } from "./labels.js";
import { withNodes } from "./options.js";

/** The most ids of waiting deltas in a line. */
const SHOWN = 3;

/**
 * Prints the deltas that nodes have not applied, and the nodes that have the missing parents. Status 1 if there are
 * any.
 */
export const stuck = command({
  words: "stuck <db> [more...]",
  usage: "[options] <db...>",
  description: "list pending deltas, their missing parents, and the nodes that have them",
  options: { json, ...reading, output: tableForm() },
  help: `A delta is pending if the node has not applied it, no applied delta and no head follows it, and the state does not have
its changes. The command prints the pending deltas that lack a parent or follow no other pending one, each with the
deltas that wait for it, and names the given databases that have the parent. It also prints deltas that wait for a newer
application, and work on groups that the node still has to do: key changes and deletions.

Examples:
  merostore stuck node/data
  merostore stuck node-a/data node-b/data
  merostore stuck node-a/data node-b/data --json

Status 1 if something is stuck, 3 if rows that would tell cannot be read.`,

  async run(terminal, { db, more }, options) {
    return withNodes(terminal, [db, ...more], { ...options, partial: true }, async (sides) => {
      let subject: string | undefined;
      const print = await programRows(terminal, ["id", "of", "node", "what"]);
      for await (const one of stuckOf(sides)) {
        terminal.check();
        if (options.json) {
          await terminal.json(one);
          subject = "";
          continue;
        }
        const [kind, id] =
          "delta" in one ? (["context", one.context] as const) : (["group", one.group] as const);
        const label = (await sideLabels(sides, kind, [id])).get(id);
        const what = "delta" in one ? sentence(one, sides.length, terminal.ids) : printable(one.work);
        if (print !== undefined)
          await print(["delta" in one ? one.delta : id, `${kind} ${label}`, printable(one.node), what]);
        const head = `${kind} ${label}${sides.length === 1 ? "" : ` on ${printable(one.node)}`}`;
        if (print === undefined && head !== subject) await terminal.wrapped(head, 6);
        if (print === undefined) await terminal.wrapped(`  ${what}`, 4);
        subject = head;
      }
      const isSure = sides.every(({ node }) => node.unread.isEmpty);
      if (subject === undefined) terminal.remark(`nothing is ${isSure ? "" : "known to be "}stuck`);
      return subject === undefined ? 0 : 1;
    });
  },
});

function sentence({ delta, missing, waiting, appKey }: StuckDelta, nodes: number, ids: IdLook): string {
  const parents = missing.map(({ parent, in: having, mayBeIn = [] }) => {
    const whose = having.length > 0 ? having : mayBeIn;
    const has = having.length > 0 ? "has" : "may have";
    const who = whose.length === 0 ? "none of the others has" : `${whose.map(printable).join(", ")} ${has}`;
    return `${short(parent, ids)}${nodes === 1 ? "" : ` (${who} it)`}`;
  });
  const why =
    appKey !== undefined
      ? `waits for the application with the app key ${short(appKey, ids)}`
      : parents.length === 0
        ? "is not applied, although the database has all its parents"
        : `lacks ${parents.length === 1 ? "its parent" : "its parents"} ${parents.join(", ")}`;
  const shown = waiting.slice(0, SHOWN).map((id) => short(id, ids));
  const rest = waiting.length > SHOWN ? ", …" : "";
  const wait =
    waiting.length === 0
      ? ""
      : `; ${counted(waiting.length, "delta")} ${waiting.length === 1 ? "waits" : "wait"} for it: ${shown.join(", ")}${rest}`;
  return `delta ${short(delta, ids)} ${why}${wait}`;
}
