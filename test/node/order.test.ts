/** Causal order: of the logs of all fixtures, and of graphs that no honest node writes. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { CausalOrder, newestOf, type Placed } from "../../src/node/history/order.js";
import { CalimeroNode } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { distinct, fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

interface Listed {
  readonly id: string;
  readonly parents: readonly string[];
}

/** Expects every row before the rows that it follows. */
function expectNewestFirst(rows: readonly Listed[]): void {
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  expect(places.size).toBe(rows.length);
  for (const [place, { parents }] of rows.entries())
    for (const parent of parents)
      expect(places.get(parent) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(place);
}

describe.each(distinct.filter(({ name }) => name.startsWith("core-")))("$name", ({ name }) => {
  it("lists operations and deltas newest first, each once, the same with a limit", async () => {
    await using store = await openStore(fixturePath(name, "db"));
    const node = new CalimeroNode(store);
    for (const { group } of await node.namespaces()) {
      const all = await listOf(node.history(group.id));
      expectNewestFirst(all);
      const limited = await listOf(node.history(group.id, { limit: all.length + 1 }));
      expect(limited.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    }
    for (const { context, deltas = Number.NaN } of await node.contexts()) {
      const all = await listOf(node.deltas(context.id));
      expect(all).toHaveLength(deltas);
      expectNewestFirst(all);
      const limited = await listOf(node.deltas(context.id, { limit: deltas + 1 }));
      expect(limited.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expectNewestFirst(await listOf(node.deltas(context.id, { limit: 10 })));
    }
  });
});

const row = (id: number, rank: number, ...parents: readonly number[]): Placed => ({
  id: new Uint8Array(32).fill(id),
  rank: BigInt(rank),
  parents: parents.map((parent) => new Uint8Array(32).fill(parent)),
});

function ordered(rows: readonly Placed[]): readonly number[] {
  const order = new CausalOrder();
  for (const one of rows) order.add(one);
  return [...order.newestFirst()].map(([byte]) => byte as number);
}

describe("a graph", () => {
  it("that forks comes by rank, then by id", () => {
    expect(ordered([row(1, 1), row(2, 2, 1), row(3, 2, 1), row(4, 3, 2, 3)])).toEqual([4, 3, 2, 1]);
  });

  it("whose ranks are wrong still has every row before those that it follows", () => {
    expect(ordered([row(1, 9), row(2, 2, 1), row(3, 1, 2)])).toEqual([3, 2, 1]);
  });

  it("with one forged row that follows itself and a head keeps the order of all others", () => {
    const rows = [row(1, 1), row(2, 2, 1), row(3, 3, 2), row(9, 9, 9, 3)];
    expect(ordered(rows)).toEqual([9, 3, 2, 1]);
  });

  it("with circles and rows that follow themselves ends, with every row once", async () => {
    const rows = [row(1, 1, 2), row(2, 2, 1), row(3, 3, 3), row(4, 4, 1), row(5, 5, 99)];
    expect([...ordered(rows)].toSorted()).toEqual([1, 2, 3, 4, 5]);
    const byId = new Map(rows.map((one) => [toHex(one.id), one]));
    const graph = {
      heads: [row(4, 0).id, row(77, 0).id],
      get: async (ids: readonly Uint8Array[]) => ids.map((id) => byId.get(toHex(id))),
    };
    const rest = async function* () {
      yield* rows;
    };
    const walked = await listOf(newestOf(graph, 4, rest));
    expect(walked).toHaveLength(4);
    expect(ordered(rows).slice(0, 4)).toEqual(walked.map(({ id }) => id[0]));
  });
});
