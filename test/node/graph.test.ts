/** The graphs of real histories agree with the lists of their operations and deltas. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import {
  CalimeroNode,
  graphId,
  type HistoryGraph,
  type Linked,
  openNode,
  RowMark,
} from "../../src/node/index.js";
import { listOf } from "../support/lists.js";
import { groupMeta } from "./replay/histories/both.js";
import { MadeNamespace } from "./replay/made-namespace.js";

const NODES = ["fixtures/core-0.11/node-a/db", "fixtures/core-0.10/node-a/db"] as const;

/** The rows of a graph as ids, each with the ids that it follows. */
function linkedOf(graph: HistoryGraph): readonly Linked[] {
  return Array.from({ length: graph.size }, (_, row) => ({
    id: graphId(graph, row),
    parents: [...graph.parents.subarray(graph.parentsFrom[row], graph.parentsFrom[row + 1])].map((parent) =>
      graphId(graph, parent),
    ),
  }));
}

function linked({ id, parents }: Linked): Linked {
  return { id, parents };
}

describe.each(NODES)("graphs of %s", (path) => {
  it("have the deltas of every context in their order, with parents, authors and times", async () => {
    await using node = await openNode(path);
    for (const { context } of await node.contexts()) {
      const graph = await node.graph(context.id);
      const deltas = await listOf(node.deltas(context.id));
      expect(linkedOf(graph)).toEqual(deltas.map(linked));
      expect(graph.of).toEqual(context);
      for (const [row, { author, time, applied }] of deltas.entries()) {
        expect(graph.people[graph.authors[row] as number]).toEqual(author);
        expect(graph.before[row]).toBe(time ?? Number.NaN);
        expect(graph.after[row]).toBe(time ?? Number.NaN);
        expect(((graph.marks[row] as number) & RowMark.PENDING) === 0).toBe(applied);
      }
      const details = await node.context(context.id);
      const heads = deltas.flatMap(({ id }, row) =>
        ((graph.marks[row] as number) & RowMark.HEAD) === 0 ? [] : [id],
      );
      expect(heads.toSorted()).toEqual(details?.heads.toSorted());
      const ids = deltas.map(({ id }) => id).slice(0, 5);
      expect(await node.deltasOf(context.id, [...ids, "ff".repeat(32)])).toEqual([
        ...deltas.slice(0, 5),
        undefined,
      ]);
    }
  });

  it("have the operations of every namespace and of the groups' own logs", async () => {
    await using node = await openNode(path);
    for (const { group } of await node.namespaces()) {
      const operations = await listOf(node.history(group.id, { times: true }));
      const graph = await node.graph(group.id);
      expect(linkedOf(graph)).toEqual(operations.map(linked));
      for (const [row, { actor, time }] of operations.entries()) {
        expect(graph.people[graph.authors[row] as number]).toEqual(actor);
        expect([graph.after[row], graph.before[row]]).toEqual([
          time?.after ?? Number.NaN,
          time?.before ?? Number.NaN,
        ]);
      }
      const own = await node.graph(group.id, { own: true });
      const log = await listOf(node.groupLog(group.id));
      expect(linkedOf(own)).toEqual(log.map(linked));
      const untimed = await listOf(node.history(group.id));
      expect(
        await node.operationsOf(
          group.id,
          untimed.map(({ id }) => id),
        ),
      ).toEqual(untimed);
    }
  });
});

it("names the authors by their first appearance, and marks what is not in the database", async () => {
  await using node = await openNode(NODES[0]);
  const graph = await node.graph("lobby");
  expect(graph.size).toBe(155);
  expect(graph.people.map((person) => person?.id.slice(0, 8))).toEqual([
    undefined,
    "de2a2d20",
    "e8e04d8c",
    "38ec7407",
  ]);
  // A group's own log follows operations that only other logs have.
  const own = await node.graph("office", { own: true });
  expect(Math.max(...own.parents)).toBe(own.size);
  expect(own.ids.length).toBe(32 * (own.size + 1));
});

it("has the member who left as the author, although another key signed", async () => {
  const made = await MadeNamespace.found();
  const member = new Uint8Array(32).fill(7);
  const removal = { member, expectedGroupStateHash: new Uint8Array(32), expectedContextStateHashes: [] };
  const founder = fromHex(made.founder.id);
  await made.put("GroupMeta", [made.namespace], groupMeta(founder, { ownerIdentity: founder }));
  await made.group(made.namespace, { kind: "MemberAdded", member, role: "Member" });
  await made.group(made.namespace, { kind: "MemberLeft", ...removal });
  const node = new CalimeroNode(await made.store());
  const namespace = toHex(made.namespace);
  const [left, added] = await listOf(node.history(namespace));
  expect([left?.kind, left?.actor.id]).toEqual(["MemberLeft", toHex(member)]);
  expect([added?.kind, added?.actor.id]).toEqual(["MemberAdded", made.founder.id]);
  for (const own of [false, true]) {
    const graph = await node.graph(namespace, { own });
    const authors = [...graph.authors].map((author) => graph.people[author]?.id);
    expect(authors.slice(0, 2)).toEqual([toHex(member), made.founder.id]);
  }
});

it("is of the kind that is asked for where a group and a context have the same id", async () => {
  const both = `${"11".repeat(31)}12`;
  await using node = await openNode("fixtures/documented/tables/db");
  expect((await node.graph(both)).size).toBe(0);
  const graph = await node.graph(both, { kinds: ["context"] });
  expect(linkedOf(graph)).toEqual((await listOf(node.deltas(both))).map(linked));
  expect(graph.size).toBe(2);
});
