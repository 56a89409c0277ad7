/**
 * The replay of deltas since core-1.0: whole contexts that two independent programs computed are made by deltas, and the replay leads
 * to their root hashes and to the bytes of all their rows.
 */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { Payload } from "../../../src/codec/index.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { type EntityRow, readStateRow } from "../../../src/layouts/index.js";
import { type Action, ActionList, DeltaRow } from "../../../src/payloads/index.js";
import { core10 } from "../../../src/schemas/index.js";
import { readerAt } from "../../../src/state/replay/as-of.js";
import { readReplay } from "../../../src/state/replay/replay.js";
import { storeOn } from "../../../src/store/index.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { type Context, contexts } from "../../verify/one-row/contexts.js";

const idOf = (number: number): Uint8Array => {
  const id = new Uint8Array(32).fill(0xd0);
  new DataView(id.buffer).setUint32(0, number);
  return id;
};

/** The layouts in which a delta may list its changes. */
const lists = ["ShortIds", "LongIds", "ShortIdsPlain"] as const;

/** The changes that make the entities of a context, the root first and each after the one above it. */
function actionsOf({ context_id, rows }: Context): readonly Action[] {
  const entities = new Map(
    rows.flatMap(([key, value]) => {
      const row = readStateRow(fromHex(key).subarray(32), fromHex(value));
      return row.kind === "entity" && row.row.index !== null ? [[toHex(row.id), row.row] as const] : [];
    }),
  );
  const above = (id: string): readonly string[] => {
    const parent = entities.get(id)?.index?.parentId ?? undefined;
    return parent === undefined ? [] : [toHex(parent), ...above(toHex(parent))];
  };
  const ids = [...entities.keys()].sort((a, b) => above(a).length - above(b).length);
  return ids.flatMap((id): Action[] => {
    const { index, data } = entities.get(id) as EntityRow;
    const chain = above(id);
    // The root is left off the end of a longer chain.
    const ancestors = (chain.length > 1 ? chain.slice(0, -1) : chain).map(fromHex);
    const kind = id === context_id ? "Update" : "Add";
    if (index === null) return [];
    const entity = { id: fromHex(id), ancestors };
    if (data !== null) return [{ kind, ...entity, data, metadata: index.metadata }];
    // A deleted entity was there before.
    const before = { ...index.metadata, updatedAt: index.metadata.createdAt };
    return [
      { kind, ...entity, data: entity.id, metadata: before },
      { kind: "DeleteRef", id: entity.id, deletedAt: index.deletedAt as bigint, metadata: before },
    ];
  });
}

async function storeOfDeltas(deltas: readonly (readonly Action[])[], { context_id, root_hash }: Context) {
  const engine = openMemoryEngine({ columns: core10.columns });
  const meta = {
    application: idOf(0),
    rootHash: fromHex(root_hash),
    dagHeads: [idOf(deltas.length)],
    serviceName: null,
  };
  await engine.write([
    { type: "put", column: "Meta", key: fromHex(context_id), value: ContextMetaValue.encode(meta) },
    ...deltas.map((actions, at) => ({
      type: "put" as const,
      column: "Delta",
      key: Buffer.concat([fromHex(context_id), idOf(at + 1)]),
      value: DeltaRow.encode({
        kind: "v1",
        parents: [at === 0 ? new Uint8Array(32) : idOf(at)],
        actions: Payload.of(ActionList, {
          kind: lists[at % lists.length] as (typeof lists)[number],
          actions: [...actions],
        }),
        hlc: { time: BigInt(at + 1) << 32n, id: 1n },
        applied: true,
        checkpointRootHash: null,
        events: null,
        authorId: null,
        governancePositionBlob: null,
        deltaSignature: null,
        delegation: null,
      }),
    })),
  ]);
  return storeOn(engine, { schema: core10 });
}

describe("the replay of deltas since core-1.0", () => {
  const good = contexts.filter(({ layout, damage, entities }) => layout === "R" && !damage && entities);

  it("leads to the root hashes and the rows of whole contexts", async () => {
    expect(good.length).toBeGreaterThanOrEqual(10);
    for (const context of good) {
      const actions = actionsOf(context);
      const deltas =
        actions.length > 100 ? [actions.slice(0, 50), actions.slice(50)] : actions.map((one) => [one]);
      await using store = await storeOfDeltas(deltas, context);
      const replay = await readReplay(store, fromHex(context.context_id));
      await replay.moveToFirst();
      expect(replay.rootHash && toHex(replay.rootHash)).toBe(context.root_hash);
      const found: (readonly [string, string])[] = [];
      const past = await readerAt(store, replay);
      for await (const { key, value } of past.raw.scan("State", {}))
        found.push([toHex(key), toHex(value as Uint8Array)]);
      expect(found).toEqual([...context.rows].sort(([a], [b]) => (a < b ? -1 : 1)));
      const verdicts = new Set(
        (await replay.positions()).map(({ verdict, unknown }) => `${verdict} ${unknown}`),
      );
      expect([...verdicts]).toEqual(["unknown no hash"]);
    }
  });
});
