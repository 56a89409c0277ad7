/** The deltas in real nodes' databases result in the states of these nodes. */
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { type NodeReader, rowsOf } from "../../../src/node/tables/rows.js";
import { Pause } from "../../../src/pause.js";
import { EntityRows } from "../../../src/state/entity-rows.js";
import type { ContextReplay, ReplayVerdict } from "../../../src/state/index.js";
import { readReplay } from "../../../src/state/index.js";
import { layoutOf } from "../../../src/state/layouts/layout-of.js";
import { DeltaApplier } from "../../../src/state/replay/apply.js";
import { indexRowOf } from "../../../src/state/replay/as-of.js";
import { ReplayCursor } from "../../../src/state/replay/cursor.js";
import { type DeltaOfRow, deltaOf } from "../../../src/state/replay/delta.js";
import { EntityTree } from "../../../src/state/replay/entity-tree.js";
import { DeltaGraph } from "../../../src/state/replay/graph.js";
import { PackedDeltas } from "../../../src/state/replay/packed-deltas.js";
import { openStore, type Store, storeOn } from "../../../src/store/index.js";
import { Random } from "../../engines/files/history.js";
import { appsDatabase } from "../../support/apps.js";
import { fixtureRows } from "../../support/fixtures.js";
import { putsOf } from "../../support/transfer.js";
import { contextStartingWith, contextsOf, fixtureStore } from "../support.js";

interface Replayed {
  readonly replay: ContextReplay;
  readonly rootHash: string;
}

/** The contexts of a store, with the root hashes in its rows. */
async function replaysOf(store: Store): Promise<readonly Replayed[]> {
  const found: Replayed[] = [];
  for (const contextId of await contextsOf(store)) {
    const meta = (await store.table("ContextMeta").get({ contextId })) as
      | { rootHash: Uint8Array }
      | undefined;
    if (meta === undefined) continue;
    found.push({ replay: await readReplay(store, contextId), rootHash: toHex(meta.rootHash) });
  }
  return found;
}

async function verdictsOf(replays: readonly Replayed[]): Promise<Partial<Record<ReplayVerdict, number>>> {
  const counts: Partial<Record<ReplayVerdict, number>> = {};
  for (const { replay } of replays)
    for (const { verdict, unknown } of await replay.positions()) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      expect(unknown).toBe(verdict === "unknown" ? "older data" : undefined);
    }
  return counts;
}

/** The fields of index rows in which the replay differs: the notes beside the fixture explain each. */
async function differences(store: Store, replay: ContextReplay): Promise<readonly string[]> {
  const contextId = Buffer.from(replay.contextId, "hex");
  const rows = new EntityRows(store.raw, contextId, layoutOf(store.schema));
  const found: string[] = [];
  for await (const chunk of rows.all())
    for (const row of chunk) {
      const id = toHex(row.id);
      const replayed = indexRowOf(replay.tree, id);
      const fields: string[] = [];
      if (replayed === undefined) fields.push("row");
      else {
        const children = await rows.children(row);
        const ids = "ids" in children ? [...children.ids()].map(toHex).sort() : [];
        if (toHex(replayed.fullHash) !== toHex(row.fullHash)) fields.push("fullHash");
        if (toHex(replayed.ownHash) !== toHex(row.ownHash)) fields.push("ownHash");
        if (replayed.metadata.updatedAt !== row.metadata.updatedAt) fields.push("updatedAt");
        if (replayed.deletedAt !== row.deletedAt) fields.push("deletedAt");
        if (`${ids}` !== `${[...replay.tree.children(id)].sort()}`) fields.push("children");
        const [ours, theirs] = [row, replayed].map(({ deletedChildren }) =>
          deletedChildren.map(toHex).sort(),
        );
        if (store.schema.name !== "core-0.10" && `${ours}` !== `${theirs}`) fields.push("deletedChildren");
      }
      for (const field of fields) found.push(field);
    }
  return found.sort();
}

/** Fields that differ from a replay: entries in logs of writers have the node's time; one deletion came twice. */
const databases: Readonly<
  Record<string, { readonly verdicts: object; readonly differences: readonly string[] }>
> = {
  "core-0.11/node-a": {
    verdicts: { proven: 216, "proven-with-unnamed": 3 },
    differences: ["updatedAt"],
  },
  "core-0.11/node-b": {
    verdicts: { proven: 122, "proven-with-unnamed": 3 },
    differences: [],
  },
  "core-0.11/node-c": {
    verdicts: { proven: 19, "proven-with-unnamed": 3 },
    differences: [],
  },
  "core-0.10/node-a": {
    verdicts: { proven: 92, "proven-with-unnamed": 35 },
    differences: ["deletedAt", "updatedAt"],
  },
  "core-0.10/node-b": {
    verdicts: { proven: 79, "proven-with-unnamed": 35 },
    differences: ["deletedAt", "updatedAt"],
  },
  "healed-n1": {
    verdicts: { proven: 305, "proven-with-unnamed": 197, differs: 1 },
    differences: ["updatedAt", "updatedAt", "updatedAt"],
  },
  // Nothing tells an old value of shared storage from before the first delta, until a delta overwrites it.
  "healed-n2": {
    verdicts: { proven: 249, "proven-with-unnamed": 148, unknown: 98 },
    differences: ["updatedAt", "updatedAt", "updatedAt"],
  },
  "parted-n3": {
    verdicts: { proven: 200, "proven-with-unnamed": 81, unknown: 98 },
    differences: ["updatedAt", "updatedAt", "updatedAt"],
  },
  "upgraded-n1": {
    verdicts: { proven: 305, "proven-with-unnamed": 199, differs: 1 },
    differences: ["updatedAt", "updatedAt", "updatedAt"],
  },
};

describe("the replay of real nodes' deltas", () => {
  for (const [name, wanted] of Object.entries(databases))
    it(`leads to the recorded states of ${name}, and each delta to its author's hash`, async () => {
      using database = name.startsWith("core") ? undefined : appsDatabase(name);
      await using store = await (database === undefined ? fixtureStore(name) : openStore(database.path));
      const replays = await replaysOf(store);
      const found: string[] = [];
      for (const { replay, rootHash } of replays) {
        await replay.moveToFirst();
        expect(replay.rootHash && toHex(replay.rootHash)).toBe(rootHash);
        if (replay.baseHash !== undefined && replay.checkpoint !== undefined)
          expect(replay.baseHash && toHex(replay.baseHash)).toBe(toHex(replay.checkpoint));
        found.push(...(await differences(store, replay)));
      }
      expect(found.sort()).toEqual(wanted.differences);
      expect(await verdictsOf(replays)).toEqual(wanted.verdicts);
    });

  for (const [name, context] of [
    ["core-0.11/node-a", "b875f1c0"],
    ["core-0.10/node-a", "1e75c022"],
  ] as const)
    it(`leads to one state in 30 causal orders of ${name}`, async () => {
      await using store = await fixtureStore(name);
      const contextId = await contextStartingWith(store, context);
      const layout = layoutOf(store.schema).replay;
      const deltas: DeltaOfRow[] = [];
      for await (const chunk of rowsOf(store as unknown as NodeReader, "ContextDagDelta", { contextId }))
        for (const row of chunk) deltas.push(await deltaOf(row, new Pause()));
      const random = new Random(20_261_126);
      const orders: { readonly order: string; readonly root: string }[] = [];
      for (let at = 0; at < 30; at++) {
        const packed = new PackedDeltas(layout.metadata);
        // Clocks decide the order of concurrent deltas.
        const shuffled = deltas.map((delta) =>
          packed.add({ ...delta, clock: { ...delta.clock, time: BigInt(random.below(2 ** 31)) } }),
        );
        const graph = await DeltaGraph.of(packed.ids, shuffled);
        const tree = new EntityTree(layout.childOrder, packed);
        const applier = new DeltaApplier(tree, toHex(contextId), () => undefined, layout.rules);
        await new ReplayCursor(tree, graph, applier).moveTo({
          heads: await graph.heads(),
          leftOut: new Set(),
        });
        orders.push({
          order: graph.deltas.map(({ id }) => id).join(),
          root: toHex(tree.hash(tree.numberOf(contextId)) ?? contextId),
        });
      }
      expect(new Set(orders.map(({ order }) => order)).size).toBeGreaterThan(20);
      expect([...new Set(orders.map(({ root }) => root))]).toHaveLength(1);
    });

  // Concurrent deltas lie on both sides of the cut, so the base has deltas that the authors of later ones had not.
  for (const [name, context, pruned] of [
    ["core-0.11/node-a", "b875f1c0", 33],
    ["core-0.10/node-a", "1e75c022", 40],
  ] as const)
    it(`calls no delta of ${name} wrong after ${pruned} older ones were pruned`, async () => {
      await using store = await fixtureStore(name);
      const contextId = await contextStartingWith(store, context);
      const gone = (await readReplay(store, contextId)).graph.deltas.slice(0, pruned);
      const engine = openMemoryEngine({ columns: store.schema.columns });
      await engine.write(putsOf(fixtureRows(name)));
      await engine.write(
        gone.map(({ id }) => ({ type: "delete", column: "Delta", key: concat(contextId, fromHex(id)) })),
      );
      await using cut = await storeOn(engine, { schema: store.schema });
      const replay = await readReplay(cut, contextId);
      expect([replay.isJoined, replay.missing.length > 1]).toEqual([true, true]);
      const verdicts = (await replay.positions()).map(({ verdict }) => verdict);
      expect(verdicts).toContain("proven");
      expect(verdicts).toContain("unknown");
      expect(verdicts).not.toContain("differs");
    });
});
