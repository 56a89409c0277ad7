/** Deltas that are not applied: in unchanged nodes, and in nodes that lack deltas of others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { ContextDagDelta, ContextMeta } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, type Store } from "../../src/store/index.js";
import { rootHashes, type StuckDelta, stuck } from "../../src/why/index.js";
import { fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const contextId = fromHex(LOBBY);
/** The three newest deltas of node-a, which node-c lacks, and the parent of the first. */
const CHAIN = [
  "1198df839df8fbf6fa46508f5f7c4c0c1b0ddff497c34afcc61b7443344d642e",
  "cc7c40a4dbe85138c0d8978b29705b657f76a8198b9e7f99352e2b0eaced6f1c",
  "da09c54471ddac836a5569e6e87c33f6f3427ebac0b5d299eafb33bb13fd8e73",
] as const;
const BEFORE = "8c5b2f8219e3f8e3c0530e7f73ed99ae9945926d2c4d5816028dfbff5aef684d";

type Core011Store = Store<typeof core011>;
let a: Core011Store;
let c: Core011Store;
beforeAll(async () => {
  a = await openStore(fixturePath("core-0.11/node-a", "db"), { schema: core011 });
  c = await openStore(fixturePath("core-0.11/node-c", "db"), { schema: core011 });
});
afterAll(async () => {
  await a.close();
  await c.close();
});

/** node-c with the three deltas, all pending; the first may get other parents. */
async function behind(parents?: readonly string[], heads?: readonly string[]) {
  const overlay = c.overlay();
  for (const id of CHAIN) {
    const key = new ContextDagDelta({ contextId, deltaId: fromHex(id) });
    const value = await a.get(key);
    if (value === undefined) throw new Error(`node-a lacks ${id}`);
    const changed = id === CHAIN[0] && parents !== undefined ? { parents: parents.map(fromHex) } : {};
    overlay.put(key, { ...value, ...changed, applied: false });
  }
  const key = new ContextMeta({ contextId });
  const meta = await c.get(key);
  if (meta !== undefined && heads !== undefined) overlay.put(key, { ...meta, dagHeads: heads.map(fromHex) });
  return overlay;
}

/** The stuck deltas of a node beside node-a. */
async function stuckOf(store: Awaited<ReturnType<typeof behind>>) {
  const found = await listOf(
    stuck([
      { name: "c", store },
      { name: "a", store: a },
    ]),
  );
  return found.map((one) => one as StuckDelta);
}

/** The number of pending deltas in the lobby of a node. */
async function pendingOf(
  store: Awaited<ReturnType<typeof behind>> | Core011Store,
): Promise<number | undefined> {
  const all = await listOf(rootHashes([{ name: "c", store }]));
  return all.find(({ context }) => context === LOBBY)?.nodes[0]?.pending;
}

describe("stuck", () => {
  const first = { node: "c", context: LOBBY, delta: CHAIN[0], waiting: CHAIN.slice(1), appKey: undefined };

  it("names the parent that lacks, the node that has it, and all deltas that wait", async () => {
    const store = await behind();
    expect(await stuckOf(store)).toEqual([{ ...first, missing: [{ parent: BEFORE, in: ["a"] }] }]);
    expect(await pendingOf(store)).toBe(3);
  });

  it("names each parent that lacks, also if no node has it", async () => {
    const nowhere = "ab".repeat(32);
    const store = await behind([BEFORE, nowhere]);
    const missing = [
      { parent: BEFORE, in: ["a"] },
      { parent: nowhere, in: [] },
    ];
    expect(await stuckOf(store)).toEqual([{ ...first, missing }]);
  });

  it("does not call the beginning or a head missing", async () => {
    const beginning = await behind(["00".repeat(32)]);
    expect(await stuckOf(beginning)).toEqual([{ ...first, missing: [] }]);
    const afterHead = await behind([BEFORE], [BEFORE]);
    expect(await stuckOf(afterHead)).toEqual([{ ...first, missing: [] }]);
  });

  it("leaves out what a head or an applied delta follows", async () => {
    const store = await behind(undefined, [CHAIN[1]]);
    expect(await stuckOf(store)).toEqual([{ ...first, delta: CHAIN[2], waiting: [], missing: [] }]);
    expect(await pendingOf(store)).toBe(1);
    // node-c took over a state after a delta that it never applied.
    const [unapplied] = await listOf(c.table(ContextDagDelta).scan()).then((rows) =>
      rows.filter(({ value }) => value?.applied === false),
    );
    expect(unapplied && toHex(unapplied.key.deltaId)).toMatch(/^afa261a8/);
    expect(await pendingOf(c)).toBe(0);
  });

  it("tells of deltas that follow each other in a circle once", async () => {
    const found = await stuckOf(await behind([CHAIN[2]]));
    expect(found).toHaveLength(1);
    expect([found[0]?.delta, ...(found[0]?.waiting ?? [])].toSorted()).toEqual(CHAIN.toSorted());
    expect(found[0]?.missing).toEqual([]);
  });
});

it("tells of deltas that wait for an application, and of work on groups", async () => {
  await using store = await openStore(fixturePath("core-0.11/log", "db"));
  const found = await listOf(stuck([{ name: "log", store }]));
  const deltas = found.filter((one) => "delta" in one);
  expect(deltas.filter(({ appKey }) => appKey === undefined)).toMatchObject([
    {
      delta: "3c982761feca2ffb1bffc24e5e9e71467c347a7e8227b26ae160211ed2c99148",
      missing: [{ parent: "aec9bcee565a96ef0e9087a8d210d78c40fbd283f3d222125c7f79f152d9c51c", in: [] }],
      waiting: ["8031ee2d63fcea46917f070b2fdabc4eee4491d172bdd37067b442160e3c34e8"],
    },
  ]);
  expect(deltas.filter(({ appKey }) => appKey !== undefined)).toHaveLength(4);
  // The rows of the fixture: 3 + 3 key changes, 2 deletions.
  expect(found.filter((one) => "work" in one)).toHaveLength(8);
});
