/** Differences between databases of real nodes, one of them with a changed entity. */
import { describe, expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { ContextActivatedStateVersion, ContextLeftMarker } from "../../src/keys/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import { readReplay, stateKeysOf } from "../../src/state/index.js";
import { openStore, type Store, StoreReader } from "../../src/store/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { type WhyPair, type WhySource, whyDiffer } from "../../src/why/index.js";
import { fixtureStore, forgetting } from "../state/support.js";
import { appsDatabase } from "../support/apps.js";

const LOBBY = fromHex("b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443");

const sourceOf = (name: string, reader: StoreReader): WhySource => ({
  name,
  reader,
  node: new CalimeroNode(reader),
});

const rowsOf = ({ causes }: WhyPair): object =>
  Object.fromEntries(causes.map(({ rule, rows }) => [rule, rows.length]));

/** Asks why two nodes differ in a context, by default in the lobby. */
async function pairOf(a: WhySource, b: WhySource, context = toHex(LOBBY)): Promise<WhyPair> {
  const [answer] = await whyDiffer([a, b], { context });
  return answer?.pairs[0] as WhyPair;
}

async function whyOf(a: string, b: string): Promise<WhyPair> {
  await using storeA = await fixtureStore(a);
  await using storeB = await fixtureStore(b);
  return await pairOf(sourceOf("A", storeA), sourceOf("B", storeB));
}

/** A reader of a store with one row changed or absent. */
function changed(
  store: Store,
  key: Uint8Array,
  value: Uint8Array | undefined,
  column = "State",
): StoreReader {
  const pending = new PendingReader(store.raw);
  const change = { column, key };
  pending.add(value === undefined ? { type: "delete", ...change } : { type: "put", ...change, value });
  return new StoreReader(pending, store.schema);
}

describe("why two nodes differ", () => {
  it("is that one account left, and its node lacks what came later", async () => {
    const found = await whyOf("core-0.11/node-b", "core-0.11/node-c");
    expect(found.verdict).toBe("left");
    expect(found.sentence).toBe(
      "B is the node of Zoë, who left fa3977a2 with operation 28: B lacks the last 103 deltas of A",
    );
    expect(rowsOf(found)).toEqual({ account: 0, key: 0, deltas: 313, expected: 1 });
    expect(found.unexplained).toEqual([]);
    expect(found.causes.find(({ rule }) => rule === "deltas")?.deltas).toHaveLength(103);
  });

  it("is that one took over the older deltas with a snapshot, which is no fault", async () => {
    const found = await whyOf("core-0.11/node-a", "core-0.11/node-b");
    expect(found).toMatchObject({ verdict: "snapshot", unexplained: [] });
    expect(rowsOf(found)).toEqual({ snapshot: 30, expected: 3 });
  });

  it("is nothing for a node beside itself", async () => {
    expect(await whyOf("core-0.11/node-a", "core-0.11/node-a")).toMatchObject({
      verdict: "equal",
      causes: [],
      unexplained: [],
    });
  });

  it("is another version of the application where marks of code differ, and not where a mark of the node does", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const contextId = LOBBY;
    const whyWith = (change: (overlay: ReturnType<typeof store.overlay>) => void): Promise<WhyPair> => {
      const overlay = store.overlay();
      change(overlay);
      return pairOf(sourceOf("A", store), sourceOf("B", overlay));
    };
    const left = await whyWith((overlay) =>
      overlay.put(new ContextLeftMarker({ contextId, publicKey: LOBBY }), { leftAtMs: 1n }),
    );
    expect(left.causes.map(({ rule }) => rule)).toEqual(["expected"]);
    const other = await whyWith((overlay) =>
      overlay.put(new ContextActivatedStateVersion({ contextId }), { stateVersion: 7 }),
    );
    expect(other).toMatchObject({ verdict: "equal", unexplained: [] });
    expect(other.sentence).toBe(
      "both have the same state and the same deltas; A and B do not run the same version of the application",
    );
  });

  it("has a cause for each row of nodes that were parted, and after they met again", async () => {
    const verdicts: string[] = [];
    for (const [a, b] of [
      ["parted-n1", "parted-n3"],
      ["healed-n1", "healed-n2"],
      ["parted-n3", "healed-n1"],
      ["healed-n1", "upgraded-n1"],
    ] as const) {
      using databaseA = appsDatabase(a);
      using databaseB = appsDatabase(b);
      await using storeA = await openStore(databaseA.path);
      await using storeB = await openStore(databaseB.path);
      const [sourceA, sourceB] = [sourceOf(a, storeA), sourceOf(b, storeB)];
      const inB = new Set((await sourceB.node.contextFacts()).map(({ context }) => context.id));
      for (const { context } of await sourceA.node.contextFacts()) {
        if (!inB.has(context.id)) continue;
        const found = await pairOf(sourceA, sourceB, context.id);
        expect({ context: context.name, unexplained: found.unexplained }).toEqual({
          context: context.name,
          unexplained: [],
        });
        verdicts.push(found.verdict);
      }
    }
    expect(new Set(verdicts)).toEqual(new Set(["left", "snapshot", "equal", "both", "behind"]));
  });

  it("takes no side where both have the same entity falsified, or a node has it only from a snapshot", async () => {
    await using storeA = await fixtureStore("core-0.11/node-a");
    await using storeB = await fixtureStore("core-0.11/node-b");
    const replay = await readReplay(storeB, LOBBY);
    await replay.moveToFirst();
    const [old] = [...replay.tree.entities()]
      .filter(([, { data, deletedAt, writer }]) => data && !deletedAt && writer === undefined)
      .map(([id]) => id)
      .filter((id) => id !== replay.contextId);
    const key = stateKeysOf(storeA.schema, replay.contextId, fromHex(old as string)).find(
      ({ what }) => what === "entry",
    )?.key as Uint8Array;
    const bytes = ((await storeA.raw.get("State", key)) as Uint8Array).slice();
    bytes[0] = (bytes[0] as number) ^ 1;
    const found = await pairOf(sourceOf("A", changed(storeA, key, bytes)), sourceOf("B", storeB));
    expect(found.verdict).toBe("diverged");
    expect(found.sentence).not.toContain("is right");
  });

  it("is nothing where nodes that took over a state forgot a deletion, unless only one has the entity", async () => {
    await using store = await fixtureStore("core-0.11/node-b");
    const replay = await readReplay(store, LOBBY);
    await replay.moveToFirst();
    const [entity] = [...replay.tree.entities()].find(
      ([, { data, deletedAt, writer }]) => data && !deletedAt && writer !== undefined,
    ) as [string, unknown];
    const stated = replay.rootHash as Uint8Array;
    const pending = new PendingReader((await forgetting(store, replay, entity)).raw);
    // A node that deleted the entity has a root hash without it.
    const meta = Buffer.from((await store.raw.get("Meta", LOBBY)) as Uint8Array);
    meta.set(replay.rootHash as Uint8Array, meta.indexOf(stated));
    pending.add({ type: "put", column: "Meta", key: LOBBY, value: meta });
    const without = new StoreReader(pending, store.schema);
    const both = await pairOf(sourceOf("A", without), sourceOf("B", without));
    expect(both).toMatchObject({ verdict: "equal", unexplained: [] });
    expect(both.causes.map(({ rule, contradictions: [one] }) => [rule, one?.entity, one?.mayBe])).toEqual([
      ["unchecked", entity, "dropped"],
      ["unchecked", entity, "dropped"],
    ]);
    expect((await pairOf(sourceOf("A", store), sourceOf("B", without))).verdict).toBe("diverged");
  });

  it("does not take a changed delta for one that is lacking, nor a lost one for a snapshot", async () => {
    await using store = await fixtureStore("core-0.11/node-a");
    const replay = await readReplay(store, LOBBY);
    const { id } = replay.graph.deltas[77] as { id: string };
    const key = concat(LOBBY, fromHex(id));
    const row = ((await store.raw.get("Delta", key)) as Uint8Array).slice();
    row[row.length - 1] = (row[row.length - 1] as number) ^ 1;
    const whyWith = (value: Uint8Array | undefined): Promise<WhyPair> =>
      pairOf(sourceOf("A", store), sourceOf("B", changed(store, key, value, "Delta")));
    const other = await whyWith(row);
    expect(other).toMatchObject({ verdict: "diverged", unexplained: [], about: ["A", "B"] });
    expect(other.sentence).toBe(
      `both have the same state, but delta ${id.slice(0, 8)} is not the same at A and B: deltaSignature differs`,
    );
    expect(other.causes[0]).toMatchObject({ rule: "changed", deltas: [id], rowCount: 1 });
    expect((await whyWith(undefined)).verdict).not.toBe("snapshot");
  });
});
