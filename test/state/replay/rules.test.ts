/** Rules of a replay that no database of a node shows alone. */
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { toHex } from "../../../src/bytes/hex.js";
import { u64 } from "../../../src/codec/index.js";
import { applicationStateId } from "../../../src/digests/index.js";
import { Pause } from "../../../src/pause.js";
import type { AnyAction } from "../../../src/payloads/index.js";
import type { DeltaOfRow } from "../../../src/state/replay/delta.js";
import { rootMerger } from "../../../src/state/replay/root-merge.js";
import { ReplayedTree } from "../../../src/state/replay/tree.js";
import { codecOf } from "../../../src/state/types/codec-of.js";
import type { Type } from "../../../src/state/types/type.js";
import { RegisterValue } from "../../../src/state/types/values.js";
import { publicMetadata } from "../../support/plain-rows.js";
import { plainDelta, replayOf } from "./plain-deltas.js";

const id = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const root = toHex(id(1));

const metadata = (updatedAt: bigint, createdAt = updatedAt) => publicMetadata(createdAt, updatedAt);

/** An entity below the root. */
function put(entity: number, data: number[], time: bigint, kind: "Add" | "Update" = "Add"): AnyAction {
  const ancestors = [{ id: id(1), merkleHash: id(0), metadata: metadata(1n) }];
  return {
    kind: kind as "Add",
    id: id(entity),
    data: Uint8Array.from(data),
    ancestors,
    metadata: metadata(time),
  };
}

function remove(entity: number, deletedAt: bigint): AnyAction {
  return { kind: "DeleteRef", id: id(entity), deletedAt, metadata: metadata(deletedAt) };
}

function delta(name: number, parents: readonly number[], ...actions: readonly AnyAction[]): DeltaOfRow {
  const clock = { time: BigInt(name), id: 1n };
  return plainDelta({ deltaId: id(name), follows: parents.map(id), clock, actions });
}

async function replayed(deltas: readonly DeltaOfRow[], merge = rootMerger({ kind: "u8" })) {
  const { graph, tree, cursor } = await replayOf(deltas, root, merge);
  await cursor.moveTo({ heads: await graph.heads(), leftOut: new Set() });
  return { tree: new ReplayedTree(tree), cursor, graph };
}

const dataOf = (tree: ReplayedTree, entity: number): readonly number[] | undefined => {
  const data = tree.get(toHex(id(entity)))?.data;
  return data && [...data];
};

it("the state after deltas does not depend on the state before, even if one deletes what it does not follow", async () => {
  const [first, adds, deletes] = [put(2, [0], 5n), put(3, [1], 6n), remove(3, 7n)];
  const deltas = [delta(10, [], first), delta(11, [10], adds), delta(12, [10], deletes), delta(13, [12])];
  const { tree, cursor } = await replayed(deltas);
  expect(dataOf(tree, 3)).toBeUndefined();
  for (const heads of [[3], [1, 3], [1], [2], [1, 2]]) {
    await cursor.moveTo({ heads, leftOut: new Set() });
    expect(dataOf(tree, 3), `after ${heads}`).toEqual(heads.join() === "1" ? [1] : undefined);
  }
  // The author of a delta applies it last; its place among newer ones is before them.
  await cursor.moveTo({ heads: [3], leftOut: new Set() });
  await cursor.applyAsAuthor(1);
  expect(dataOf(tree, 3)).toEqual([1]);
  await cursor.moveTo({ heads: [1, 3], leftOut: new Set() });
  expect(dataOf(tree, 3)).toBeUndefined();
});

describe("two writes of an entity that do not follow each other", () => {
  it("leave the later one, and of equal times that with the larger hash, in any order", async () => {
    const first = delta(10, [], put(2, [0], 5n));
    for (const [one, other, wanted] of [
      [put(2, [1], 7n, "Update"), put(2, [2], 6n, "Update"), [1]],
      [put(2, [2], 6n, "Update"), put(2, [1], 7n, "Update"), [1]],
      // SHA-256 of 01 begins with 4b, of 02 with db.
      [put(2, [1], 7n, "Update"), put(2, [2], 7n, "Update"), [2]],
      [put(2, [2], 7n, "Update"), put(2, [1], 7n, "Update"), [2]],
    ] as const) {
      const { tree } = await replayed([first, delta(11, [10], one), delta(12, [10], other)]);
      expect(dataOf(tree, 2)).toEqual(wanted);
    }
  });

  it("merge registers of the application's state by time, clock and writer, and name other fields that differ", async () => {
    const register: Type = { kind: "register", of: { kind: "u8" }, stamp: 56 };
    const type: Type = {
      kind: "record",
      name: "App",
      fields: ["a", "b"].map((name) => ({ name, type: register })),
    };
    type Register = [byte: number, time: bigint, node: number, clock?: bigint];
    const value = (a: Register, b: Register): Uint8Array => {
      const fields = [a, b].map(
        ([byte, time, node, clock = 1n]) => new RegisterValue(byte, time, clock, id(node)),
      );
      const bytes = codecOf(type).encode({ a: fields[0], b: fields[1] } as never);
      return concat(bytes, applicationStateId());
    };
    const merge = rootMerger(type);
    const merged = value([2, 9n, 1], [1, 4n, 7]);
    const [one, other] = [value([1, 8n, 1], [1, 4n, 7]), value([2, 9n, 1], [2, 4n, 6])];
    expect(merge(one, other)).toEqual(merged);
    expect(merge(other, one)).toEqual(merged);
    const [early, late] = [value([1, 8n, 7, 2n], [1, 4n, 1, 3n]), value([2, 8n, 1, 3n], [2, 4n, 7, 2n])];
    expect(merge(early, late)).toEqual(value([2, 8n, 1, 3n], [1, 4n, 1, 3n]));
    const plain = rootMerger({ kind: "record", name: "App", fields: [{ name: "a", type: { kind: "u64" } }] });
    const plainValue = (number: bigint): Uint8Array => concat(u64.encode(number), applicationStateId());
    expect(plain(plainValue(1n), plainValue(2n))).toBeUndefined();
    expect(plain(plainValue(1n), plainValue(1n))).toEqual(plainValue(1n));
  });
});

describe("a deletion", () => {
  it("wins over a write of the same time, loses to a later one, and takes everything below along", async () => {
    const first = delta(10, [], put(2, [0], 5n));
    const at = async (deletedAt: bigint): Promise<readonly number[] | undefined> =>
      dataOf((await replayed([first, delta(11, [10], remove(2, deletedAt))])).tree, 2);
    expect(await at(4n)).toEqual([0]);
    expect(await at(5n)).toBeUndefined();
    const { tree } = await replayed([
      first,
      delta(11, [10], remove(2, 6n)),
      delta(12, [10], put(2, [1], 7n, "Update")),
    ]);
    expect(dataOf(tree, 2)).toEqual([1]);
    expect([...tree.children(root)]).toEqual([toHex(id(2))]);
  });
});

describe("the graph of deltas", () => {
  it("says of several deltas at once which ones another does not follow", async () => {
    const parents = [[], [10], [10], [11], [12], [13, 14], [12], [16], []];
    const { graph } = await replayed(parents.map((of, at) => delta(10 + at, of)));
    for (const by of graph.deltas.keys())
      for (const from of [0, 2, 4]) {
        const earlier = [...graph.deltas.keys()].slice(from, by);
        const wanted = [];
        for (const other of earlier) if (!(await graph.follows(by, other, new Pause()))) wanted.push(other);
        expect(await graph.notFollowed([by], earlier, new Pause())).toEqual(wanted);
      }
  });

  it("says of deltas far apart whether one follows the other", async () => {
    const name = (number: number): Uint8Array => Buffer.alloc(32, `${number}`.padStart(8, "0"));
    const chain = Array.from({ length: 6000 }, (_, at) => ({
      ...delta(1, []),
      deltaId: name(at),
      clock: { time: BigInt(at), id: 1n },
      // Two chains: the second one begins later and joins the first.
      follows:
        at === 0 || at === 7 ? [] : at === 5900 ? [name(at - 1), name(7)] : [name(at === 8 ? 6 : at - 1)],
    }));
    const { graph } = await replayed(chain);
    const follows = (later: number, earlier: number) => graph.follows(later, earlier, new Pause());
    expect([await follows(5800, 0), await follows(5800, 7), await follows(5999, 7)]).toEqual([
      true,
      false,
      true,
    ]);
    expect([await follows(0, 5999), await follows(4990, 7), await follows(5999, 6)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe("a replay", () => {
  it("goes back to exactly the state before", async () => {
    const { cursor, tree, graph } = await replayed([
      delta(10, [], put(2, [0], 5n)),
      delta(11, [10], put(3, [1], 6n), put(2, [9], 7n, "Update")),
      delta(12, [11], remove(3, 8n)),
    ]);
    const end = tree.hash(root);
    for (const number of [0, 1, 2]) {
      await cursor.moveTo({ heads: [number], leftOut: new Set() });
      const there = tree.hash(root);
      await cursor.moveTo({ heads: [], leftOut: new Set() });
      expect(tree.get(root)).toBeUndefined();
      await cursor.moveTo({ heads: [number], leftOut: new Set() });
      expect(tree.hash(root)).toEqual(there);
    }
    await cursor.moveTo({ heads: await graph.heads(), leftOut: new Set() });
    expect(tree.hash(root)).toEqual(end);
  });

  it("has one hash of a state, whichever hashes were asked for before", async () => {
    const below = (entity: number, data: number, parent: number): AnyAction =>
      ({
        ...put(entity, [data], BigInt(data), "Update"),
        ancestors: [parent, 1].map((above) => ({ id: id(above), merkleHash: id(0), metadata: metadata(1n) })),
      }) as AnyAction;
    const deltas = [
      delta(10, [], put(2, [2], 5n), put(3, [3], 5n), below(4, 6, 2)),
      delta(11, [10], below(4, 7, 3)),
      delta(12, [11], below(4, 8, 3), below(5, 9, 4)),
    ];
    const { tree, cursor } = await replayed(deltas);
    for (const heads of [[2], [0], [1], [0], [2], [1], [2]]) {
      await cursor.moveTo({ heads, leftOut: new Set() });
      const { tree: fresh } = await replayed(deltas.slice(0, (heads[0] ?? 0) + 1));
      expect(tree.hash(root)).toEqual(fresh.hash(root));
      expect(tree.hash(root)).toBeDefined();
    }
    // The entity that was written below another one is still a child of the first.
    expect([2, 3].map((above) => tree.children(toHex(id(above))))).toEqual([[toHex(id(4))], [toHex(id(4))]]);
  });

  it("bears forged deltas: circles, parents without end, entities below themselves, times at the ends of u64", async () => {
    const most = 2n ** 64n - 1n;
    const below = {
      ...put(3, [3], most),
      ancestors: [{ id: id(3), merkleHash: id(0), metadata: metadata(0n) }],
    };
    const many = Array.from({ length: 20_000 }, (_, at) => at % 200);
    const { tree, graph } = await replayed([
      delta(10, [11], put(2, [0], 0n)),
      delta(11, [10, 11], put(2, [1], most)),
      delta(12, many, below as AnyAction, remove(2, most)),
    ]);
    expect(graph.deltas).toHaveLength(3);
    // Two entities below each other, and a deletion above them.
    const under = (entity: number, parent: number): AnyAction =>
      ({
        ...put(entity, [entity], 9n),
        ancestors: [{ id: id(parent), merkleHash: id(0), metadata: metadata(9n) }],
      }) as AnyAction;
    const circle = await replayed([
      delta(10, [], put(4, [4], 1n), under(5, 4), under(6, 5), under(5, 6)),
      delta(11, [10], remove(4, 5n)),
    ]);
    expect(dataOf(circle.tree, 4)).toBeUndefined();
    expect(tree.hash(toHex(id(3)))).toBeUndefined();
  });
});
