/** The state after the deltas of a context, against its rows: each rule has findings once. */
import { describe, expect, it, vi } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { entryStateKey, indexStateKey, ownHash } from "../../src/digests/index.js";
import { MerostoreError } from "../../src/errors.js";
import * as key from "../../src/keys/index.js";
import { EntityIndex011 } from "../../src/payloads/index.js";
import { core010, core011 } from "../../src/schemas/index.js";
import { readReplay } from "../../src/state/index.js";
import type { Store } from "../../src/store/index.js";
import { type Rule, ruleOf, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { flipped, inMemory, nobody, rowsOf } from "./altered.js";

const stateFromDeltas = ruleOf("state-from-deltas");
const namesWhatItSaw = ruleOf("delta-names-what-it-saw");
const baseHash = ruleOf("base-hash");

const node = () => inMemory("core-0.11/node-a", core011);
const joined = () => inMemory("core-0.11/node-b", core011);

const findings = (store: Store, rule: Rule, context?: Uint8Array) =>
  listOf(verifyStore(store, { rules: [rule], context }));

/** The context whose id begins with some digits. */
async function contextOf(store: Store<typeof core011>, digits: string) {
  const [meta] = await rowsOf(store, key.ContextMeta, (row) => toHex(row.key.contextId).startsWith(digits));
  return meta;
}

/** An entity of a context that a delta wrote, its data, and the delta. */
async function entityOf(store: Store<typeof core011>, contextId: Uint8Array, isOld = false) {
  const replay = await readReplay(store, contextId);
  await replay.moveToFirst();
  for (const [id, { data, writer, deletedAt }] of replay.tree.entities()) {
    if (data === undefined || deletedAt !== undefined || (writer === undefined) !== isOld) continue;
    if (data.length < 33 || id === toHex(contextId)) continue;
    const at = (stateKey: Uint8Array) => new key.ContextState011({ contextId, stateKey });
    const [index, entry] = [at(indexStateKey(fromHex(id))), at(entryStateKey(fromHex(id)))];
    return { id, data, index, entry, delta: replay.lastWriteOf(id)?.id };
  }
  throw new Error("the context has no such entity");
}

/** Gives an entity other data, and its index row the new hash. */
async function falsify(
  store: Store<typeof core011>,
  { index, entry, data }: Awaited<ReturnType<typeof entityOf>>,
): Promise<Uint8Array> {
  const record = EntityIndex011.decode((await store.raw.get("State", index.bytes)) ?? nobody);
  const other = flipped(data);
  const value = EntityIndex011.encode({ ...record, ownHash: ownHash(other) });
  await store.raw.write([
    { type: "put", column: "State", key: index.bytes, value },
    { type: "put", column: "State", key: entry.bytes, value: other },
  ]);
  return other;
}

describe("state-from-deltas", () => {
  it("names a falsified entity, both hashes, and the delta that wrote it last", async () => {
    const store = await node();
    const { key: meta } = await contextOf(store, "a2a4");
    const entity = await entityOf(store, meta.contextId);
    const other = await falsify(store, entity);
    const [found, ...more] = await findings(store, stateFromDeltas);
    expect(more).toEqual([]);
    expect(found).toEqual({
      severity: "error",
      rule: "state-from-deltas",
      column: "State",
      kind: "ContextState",
      key: toHex(entity.index.bytes),
      message: `the data is not what delta ${entity.delta?.slice(0, 8)}… wrote last`,
      found: toHex(ownHash(other)),
      expected: toHex(ownHash(entity.data)),
      entity: entity.id,
      delta: entity.delta,
    });
  });

  it("names an entity that is gone, and one that no delta wrote", async () => {
    const store = await node();
    const { key: meta } = await contextOf(store, "a2a4");
    const entity = await entityOf(store, meta.contextId);
    const index = (await store.raw.get("State", entity.index.bytes)) ?? nobody;
    for (const { bytes } of [entity.index, entity.entry])
      await store.raw.write([{ type: "delete", column: "State", key: bytes }]);
    const place = { contextId: meta.contextId, stateKey: indexStateKey(nobody) };
    const added = new key.ContextState011(place);
    const value = EntityIndex011.encode({ ...EntityIndex011.decode(index), id: nobody });
    await store.raw.write([{ type: "put", column: "State", key: added.bytes, value }]);
    const found = await findings(store, stateFromDeltas, meta.contextId);
    const texts = found.map(({ severity, key: at, message }) => [severity, at, message]);
    expect(texts.sort()).toEqual(
      [
        [
          "error",
          toHex(entity.index.bytes),
          `delta ${entity.delta?.slice(0, 8)}… wrote the entity, and it is not there`,
        ],
        ["error", toHex(added.bytes), "no delta wrote the entity"],
      ].sort(),
    );
  });

  it("is a warning where the root hash agrees with the entity: the node can have repaired its state", async () => {
    const store = await node();
    const { key: meta, value } = await contextOf(store, "a2a4");
    await falsify(store, await entityOf(store, meta.contextId));
    await store.put(meta, { ...value, rootHash: nobody });
    const [found] = await findings(store, stateFromDeltas);
    expect(found?.severity).toBe("warning");
    // A migration rewrites the state without a delta.
    await store.put(new key.ContextActivatedStateVersion({ contextId: meta.contextId }), { stateVersion: 2 });
    const [migrated] = await findings(store, stateFromDeltas);
    expect(migrated?.severity).toBe("info");
    expect(migrated?.message).toContain("; a migration to version 2 of the state can have written it");
  });

  it("says why a context is not checked", async () => {
    const store = await node();
    const { key: meta } = await contextOf(store, "a2a4");
    await falsify(store, await entityOf(store, meta.contextId));
    const scope = key.scopeBytes("sync-in-progres") ?? nobody;
    await store.put(new key.Generic({ scope, fragment: meta.contextId }), nobody);
    const { key: other } = await contextOf(store, "3211");
    for (const row of await rowsOf(store, key.ContextDagDelta))
      if (toHex(row.key.contextId) === toHex(other.contextId)) await store.delete(row.key);
    const found = await findings(store, stateFromDeltas);
    expect(found.map(({ severity, key: at, message }) => [severity, at, message])).toEqual([
      ["info", toHex(other.bytes), "not checked: no delta of the context is there that is applied"],
      ["info", toHex(meta.bytes), "not checked: the state is not there yet"],
    ]);
  });

  it("goes on after a context whose rows cannot be read, and says that it is not checked", async () => {
    const store = await node();
    const { key: meta } = await contextOf(store, "a2a4");
    const entity = await entityOf(store, meta.contextId);
    await falsify(store, entity);
    const { key: other } = await contextOf(store, "3211");
    const snapshot = await store.raw.snapshot();
    const scan = snapshot.scan.bind(snapshot);
    vi.spyOn(snapshot, "scan").mockImplementation((column, range, options) => {
      if (column === key.ContextDagDelta.COLUMN && toHex(range?.gte ?? nobody).startsWith("3211"))
        throw new MerostoreError("DATABASE_DAMAGED", "a block has another checksum");
      return scan(column, range, options);
    });
    vi.spyOn(store.raw, "snapshot").mockResolvedValue(snapshot);
    const found = await findings(store, stateFromDeltas);
    expect(found.map(({ severity, key: at, message }) => [severity, at, message.slice(0, 36)])).toEqual([
      ["info", toHex(other.bytes), "not checked: its rows cannot be read"],
      ["error", toHex(entity.index.bytes), expect.stringContaining("the data is not what delta")],
    ]);
  });
});

describe("delta-names-what-it-saw", () => {
  it("names the deltas that an author had applied and did not name", async () => {
    const found = await findings(await node(), namesWhatItSaw);
    expect(
      found.map(({ severity, key: at, found }) => `${severity} ${at?.slice(-64, -56)} ${found}`),
    ).toEqual([
      "warning b37e034a 8a918450e959e9b0df342525786929f956e17a76a315aa7f01dcbd5f0914718f",
      "warning 16bfb6bb 1f94de855ecadfc2df71618f5480ffe369f9f6a7e9fa18401cc09b05d84b4217",
      "warning c92111b2 1f94de855ecadfc2df71618f5480ffe369f9f6a7e9fa18401cc09b05d84b4217",
    ]);
  });

  it("does so in core-0.10", async () => {
    const found = await findings(await inMemory("core-0.10/node-a", core010), namesWhatItSaw);
    expect(found).toHaveLength(35);
    expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(["warning"]));
  });

  it("names each delta with a changed hash of its author, and counts deltas that follow a wrong state", async () => {
    const store = await inMemory("core-0.10/node-a", core010);
    const deltas = await rowsOf(store, key.ContextDagDelta, (row) =>
      toHex(row.key.contextId).startsWith("44e2"),
    );
    const { contextId } = deltas[0].key;
    expect(deltas).toHaveLength(10);
    for (const { key: delta, value } of deltas) {
      await store.put(delta, { ...value, expectedRootHash: flipped(value.expectedRootHash) });
      const found = await findings(store, namesWhatItSaw, contextId);
      expect(found.map(({ severity, key: at, message }) => [severity, at, message.slice(0, 58)])).toEqual([
        ["info", toHex(delta.bytes), "not checked: no state that was tried has the root hash of "],
      ]);
      await store.put(delta, value);
    }
    for (const { key: delta, value } of deltas)
      await store.put(delta, { ...value, expectedRootHash: flipped(value.expectedRootHash) });
    const found = await findings(store, namesWhatItSaw, contextId);
    expect(found.map(({ message }) => message.slice(0, 44))).toEqual([
      "not checked: no state that was tried has the",
      "not checked: 9 of 10 deltas: they follow one",
    ]);
  });
});

describe("base-hash", () => {
  it("compares the state that a node took over with its checkpoint", async () => {
    const store = await joined();
    const { key: meta } = await contextOf(store, "8d58");
    const isRight = await findings(store, baseHash, meta.contextId);
    expect(isRight).toEqual([]);
    await falsify(store, await entityOf(store, meta.contextId, true));
    const [found, ...more] = await findings(store, baseHash, meta.contextId);
    expect(more).toEqual([]);
    const [delta] = await rowsOf(store, key.ContextDagDelta, (row) => row.value.checkpointRootHash !== null);
    expect(found).toMatchObject({
      severity: "warning",
      rule: "base-hash",
      key: toHex(delta.key.bytes),
      expected: toHex(delta.value.checkpointRootHash ?? nobody),
    });
  });

  it("says where no checkpoint tells the hash", async () => {
    const store = await joined();
    const { key: meta } = await contextOf(store, "b875");
    const found = await findings(store, baseHash, meta.contextId);
    expect(found.map(({ severity, message }) => [severity, message])).toEqual([
      ["info", "not checked: no checkpoint says which root hash the state had before the first delta"],
    ]);
  });
});
