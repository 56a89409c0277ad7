/** Contexts with an incomplete state: the node is still fetching a snapshot. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex } from "../../src/bytes/hex.js";
import { successor } from "../../src/bytes/order.js";
import { diffByContext, rowsOfStore } from "../../src/diff/index.js";
import { indexStateKey } from "../../src/digests/index.js";
import { ContextMeta, snapshotKey } from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { openStore, type Store, type StoreReader } from "../../src/store/index.js";
import { type WhyPair, whyDiffer } from "../../src/why/index.js";
import { fixturePath } from "../support/fixtures.js";
import { type Change, type Core011, changed, sourceOf } from "./changed.js";

const LOBBY = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
const contextId = fromHex(LOBBY);
const root = concat(contextId, indexStateKey(contextId));

let a: Store<Core011>;
let part: StoreReader<Core011>;
beforeAll(async () => {
  a = await openStore(fixturePath("core-0.11/node-a", "db"), { schema: core011 });
  part = await fetching(0);
});
afterAll(() => a.close());

/** node-a with every other row of the lobby's state and without its deltas: it still has to fetch the rest. */
async function fetching(first: number): Promise<StoreReader<Core011>> {
  const key = new ContextMeta({ contextId });
  const meta = await a.get(key);
  const value = core011
    .row("ContextMeta")
    .value.encode({ ...meta, rootHash: new Uint8Array(32), dagHeads: [] } as never);
  const changes: Change[] = [
    { type: "put", column: "Meta", key: key.bytes, value },
    {
      type: "put",
      column: "Generic",
      key: snapshotKey(contextId).bytes,
      value: meta?.rootHash as Uint8Array,
    },
  ];
  for (const column of ["State", "Delta"]) {
    const rows = await a.raw
      .scan(column, { gte: contextId, lt: successor(contextId) as Uint8Array })
      .toArray();
    for (const [at, row] of rows.entries())
      if (column === "Delta" || (at % 2 === first && !row.key.every((byte, i) => byte === root[i])))
        changes.push({ type: "delete", column, key: row.key });
  }
  return changed(a, changes);
}

async function lobbyOf(first: StoreReader, second: StoreReader): Promise<WhyPair> {
  const [answer] = await whyDiffer([sourceOf("A", first), sourceOf("B", second)], { context: LOBBY });
  expect(answer?.pairs[0]?.unexplained).toEqual([]);
  return answer?.pairs[0] as WhyPair;
}

it("a node that fetches a snapshot is behind, and its row of the context is not called wrong", async () => {
  const sentence = "the state of B is not complete yet; B lacks the last 155 deltas of A";
  expect(await lobbyOf(a, part)).toMatchObject({ verdict: "ahead", sentence, about: ["B"] });
  const found = await lobbyOf(part, a);
  expect(found).toMatchObject({ verdict: "behind", about: ["A"] });
  expect(found.sentence).toBe("the state of A is not complete yet; A lacks the last 155 deltas of B");
});

it("a node that has all deltas and fetches a second snapshot", async () => {
  const meta = await a.get(new ContextMeta({ contextId }));
  const rows = await a.raw
    .scan("State", { gte: contextId, lt: successor(contextId) as Uint8Array })
    .toArray();
  const again = changed(a, [
    {
      type: "put",
      column: "Generic",
      key: snapshotKey(contextId).bytes,
      value: meta?.rootHash as Uint8Array,
    },
    ...rows
      .filter(({ key }) => !key.every((byte, i) => byte === root[i]))
      .map(({ key }): Change => ({ type: "delete", column: "State", key })),
  ]);
  const found = await lobbyOf(a, again);
  expect(found).toMatchObject({ verdict: "ahead", about: ["B"] });
  expect(found.sentence).toBe("the state of B is not complete yet");
  expect(found.causes.find(({ rule }) => rule === "incomplete")?.rowCount).toBe(rows.length - 1);
});

it("two nodes that both fetch a snapshot", async () => {
  const other = await fetching(1);
  for (const one of [part, other])
    expect(await lobbyOf(part, one)).toMatchObject({
      verdict: "equal",
      sentence: "the states of both are not complete yet",
      about: [],
    });
});

it("diff does not call the row of the context wrong", async () => {
  const { contexts } = await diffByContext(rowsOfStore(a), rowsOfStore(part), { contextId: LOBBY });
  expect(contexts[0]).toMatchObject({ verdict: "ahead", untrue: { rootHash: [false, false] } });
  const value = (await a.raw.get("Meta", contextId)) as Uint8Array;
  const first = await fetching(1);
  const noted = changed(first, [{ type: "put", column: "Meta", key: contextId, value }]);
  const others = await diffByContext(rowsOfStore(part), rowsOfStore(noted), { contextId: LOBBY });
  expect(others.contexts[0]?.untrue.rootHash).toEqual([false, false]);
});
