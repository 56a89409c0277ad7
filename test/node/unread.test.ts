/** The list of rows that were not read, and the behaviour of a store over damaged tables. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../src/bytes/hex.js";
import { Payload } from "../../src/codec/index.js";
import { openMemoryEngine } from "../../src/engines/index.js";
import { ContextDagDelta } from "../../src/keys/index.js";
import { CalimeroNode, withHistory } from "../../src/node/index.js";
import { Unread } from "../../src/node/tables/unread.js";
import { core010 } from "../../src/schemas/index.js";
import { PendingReader } from "../../src/store/pending.js";
import { inMemory, rowsOf } from "../verify/altered.js";

const ID = "ab".repeat(32);

it("keeps one range of a column family that has too many damaged ones, and those of the others", () => {
  const unread = new Unread();
  unread.addDamaged({ column: "Delta", after: "00", before: "01", message: "" });
  for (let at = 0; at < 1_500; at++) {
    const key = at.toString(16).padStart(8, "0");
    unread.addDamaged({ column: "State", after: key, before: key, message: "" });
  }
  expect(unread.damaged.map(({ column, after }) => [column, after])).toEqual([
    ["Delta", "00"],
    ["State", undefined],
  ]);
  expect(unread.isOfContext(ID)).toBe(true);
});

it("damage leaves open only what it can be about", () => {
  const unread = new Unread();
  for (const column of ["Alias", "Application", "Blobs"])
    unread.addDamaged({ column, after: undefined, before: undefined, message: "" });
  expect([unread.isOfContext(ID), unread.isOfGroup(ID), unread.isOfRest]).toEqual([false, false, true]);
});

it("rows of a group of which not all are kept leave no context open", () => {
  const unread = new Unread();
  for (let at = 0; at < 1_001; at++)
    unread.add("GroupMember", { COLUMN: "Group", bytes: Uint8Array.of(at >> 8, at) }, false);
  expect([unread.isOfContext(ID), unread.isOfGroup(ID), unread.isOfRest]).toEqual([false, true, false]);
});

it("actions that do not decode make their delta one that was not read; a checkpoint may have none", async () => {
  const store = await inMemory("core-0.10/node-a", core010);
  const rows = await rowsOf(store, ContextDagDelta);
  const unread = async () => {
    const node = new CalimeroNode(store);
    for (const id of new Set(rows.map(({ key }) => toHex(key.contextId))))
      for await (const _ of node.deltas(id));
    return node.unread.rows.map(({ kind, keys }) => [kind, [...keys]]);
  };
  expect(await unread()).toEqual([]);
  const [{ key, value }] = rows;
  const { codec, bytes } = value.actions;
  await store.put(key, { ...value, actions: new Payload(codec, new Uint8Array()) });
  expect(await unread()).toEqual([]);
  await store.put(key, { ...value, actions: new Payload(codec, bytes.slice(0, -1)) });
  expect(await unread()).toEqual([["ContextDagDelta", [toHex(key.bytes)]]]);
});

it("an overlay has the strict reader beneath it, with its own changes", async () => {
  const key = Uint8Array.of(1);
  const strict = openMemoryEngine({ columns: ["Alias"] });
  expect(new PendingReader(strict).strict).toBeUndefined();
  const partial = new Proxy(strict, {
    get: (of, name) => (name === "strict" ? of : Reflect.get(of, name, of)),
  });
  const overlay = new PendingReader(partial);
  overlay.add({ type: "put", column: "Alias", key, value: Uint8Array.of(2) });
  expect(await overlay.strict?.get("Alias", key)).toEqual(Uint8Array.of(2));
});

it("a context that only an undecodable delta names has a history, and is listed", async () => {
  const store = await inMemory("core-0.10/node-a", core010);
  const key = new ContextDagDelta({ contextId: fromHex(ID), deltaId: fromHex(ID) });
  await store.raw.write([{ type: "put", column: "Delta", key: key.bytes, value: Uint8Array.of(1, 2, 3) }]);
  const node = new CalimeroNode(store);
  expect((await withHistory(node, store, "context")).at(-1)?.id).toBe(ID);
  for await (const { id } of node.deltas(ID)) throw new Error(`delta ${id} does not decode`);
  expect(node.unread.rows.map(({ kind, keys }) => [kind, [...keys]])).toEqual([
    ["ContextDagDelta", [toHex(key.bytes)]],
  ]);
});
