import { count, counted } from "../../bytes/quantity.js";
import { type ContextRootHashes, type RootHash, rootHashes } from "../../why/index.js";
import { command } from "../arguments/command.js";
import { json, reading, tableLook } from "../arguments/options.js";
import { printTable } from "../output/table.js";
import type { Terminal } from "../output/terminal.js";
import { type Cell, short } from "../output/text.js";
import { sideLabels } from "./labels.js";
import { withNodes } from "./options.js";

/** Prints the root hashes of the contexts of several nodes. Status 1 if they differ. */
export const hash = command({
  words: "hash <db> [more...]",
  usage: "[options] <db...>",
  description: "show the root hash and the heads of every context, on one or several nodes",
  options: { json, ...reading, output: tableLook.output },
  help: `Nodes that have the same of a context share a line. Contexts in which the nodes differ come first. A node that never
joined a context has no line. "pending" counts the deltas that the node has not applied, and that nothing applied
follows; "merostore stuck" tells what they wait for. A node that joined later need not have the older deltas.

Examples:
  merostore hash node/data
  merostore hash node-a/data node-b/data
  merostore hash node-a/data node-b/data --json

What cannot be read is "unknown", with the reason on stderr, and the status is 3.
Status 1 if nodes that have a context differ in its root hash, or if several nodes have no context in common.`,

  async run(terminal, { db, more }, options) {
    return withNodes(terminal, [db, ...more], { ...options, partial: true }, async (sides) => {
      const found: ContextRootHashes[] = [];
      for await (const context of rootHashes(sides)) {
        terminal.check();
        found.push(context);
      }
      const differing = found.filter(({ equal }) => equal === false);
      const unknown = found.filter(({ equal }) => equal === undefined);
      const all = [...differing, ...unknown, ...found.filter(({ equal }) => equal)];
      const shared = all.filter(({ nodes }) => nodes.length > 1).length;
      const status = differing.length > 0 || (sides.length > 1 && shared === 0) ? 1 : 0;
      if (options.json) {
        for (const context of all) await terminal.json(contextToJson(context));
        return status;
      }
      if (all.length === 0) {
        terminal.remark("no contexts");
        return status;
      }
      const labels = await sideLabels(
        sides,
        "context",
        all.map(({ context }) => context),
      );
      if (sides.length > 1 && !terminal.isForPrograms)
        await terminal.wrapped(
          verdict(
            differing.length,
            unknown.filter(({ nodes }) => nodes.length > 1).length,
            shared,
            all.length,
          ),
        );
      const rows = all.flatMap((one) => rowsOf(one, labels.get(one.context) ?? one.context, terminal));
      const head = ["context", "root hash", "nodes", "heads", "deltas", "pending"];
      const fitting = { right: [4, 5], cut: [3, 2, 0], leave: [3, 5, 4] };
      await printTable(terminal, [head, ...rows], fitting);
      return status;
    });
  },
});

/** A context in JSON. Unknown facts are null. */
function contextToJson({ nodes, equal, ...rest }: ContextRootHashes): object {
  return {
    ...rest,
    nodes: nodes.map(({ node, rootHash, heads, deltas, pending }) => ({
      node,
      rootHash: rootHash ?? null,
      heads,
      deltas: deltas ?? null,
      pending: pending ?? null,
    })),
    equal: equal ?? null,
  };
}

/** A context counts as shared if two nodes have it. */
function verdict(differing: number, unknown: number, shared: number, all: number): string {
  const alone = all - shared;
  const rest =
    alone === 0 ? "" : `; ${counted(alone, "context")} ${alone === 1 ? "is" : "are"} on one node only`;
  if (shared === 0) return `the nodes have no context in common${rest}`;
  const common = `${count(shared)} common ${shared === 1 ? "context" : "contexts"}`;
  if (differing === 0 && unknown > 0)
    return `the nodes are not known to differ: a root hash of ${count(unknown)} of ${common} is unknown${rest}`;
  return differing === 0
    ? `the nodes have the same root hash in ${shared === 1 ? "the common context" : `all ${common}`}${rest}`
    : `the nodes differ in the root hash of ${count(differing)} of ${common}${rest}`;
}

/** A row for each set of nodes with the same facts. Rows with the same root hash follow each other. */
function rowsOf({ nodes }: ContextRootHashes, label: string, { ids, form }: Terminal): Cell[][] {
  const same = grouped(nodes, ({ rootHash }) => rootHash ?? "").flatMap((equal) => grouped(equal, factsOf));
  return same.map((equal, row) => {
    const [{ rootHash, heads, deltas, pending }] = equal;
    return [
      row === 0 || form === "csv" ? label : "",
      rootHash === undefined ? "unknown" : short(rootHash, ids),
      equal.map(({ node }) => node).join(", "),
      heads.map((head) => short(head, ids)).join(", "),
      ...[deltas, pending].map((number) => number ?? "unknown"),
    ];
  });
}

/** The facts of a node that a row shows beside the root hash, as one text. */
function factsOf({ heads, deltas, pending }: RootHash): string {
  return JSON.stringify([heads, deltas ?? null, pending ?? null]);
}

/** The nodes with the same text together, in the order of their first ones. */
function grouped(
  nodes: readonly RootHash[],
  textOf: (node: RootHash) => string,
): [RootHash, ...RootHash[]][] {
  const groups = new Map<string, [RootHash, ...RootHash[]]>();
  for (const node of nodes) {
    const group = groups.get(textOf(node));
    if (group === undefined) groups.set(textOf(node), [node]);
    else group.push(node);
  }
  return [...groups.values()];
}
