/** Writes of a store that nobody awaits are made in the order of the calls, whatever has to be read for them. */
import { describe, expect, it } from "vitest";
import { openMemoryEngine } from "../../src/engines/index.js";
import { ContextMeta, ContextStateDocumented } from "../../src/keys/index.js";
import { documented } from "../../src/schemas/index.js";
import { type Store, storeOn } from "../../src/store/index.js";
import { memoryStore } from "../../src/testing/index.js";
import { MASTER_KEY } from "../encryption/vectors.js";

type DocumentedStore = Store<typeof documented>;

const id = (byte: number) => new Uint8Array(32).fill(byte);
const key = (byte: number) => new ContextStateDocumented({ contextId: id(byte), stateKey: id(0) });
const value = id(7);
/** A range without an end. */
const all = ContextStateDocumented;

const calls: Readonly<Record<string, (store: DocumentedStore) => Promise<void>>> = {
  clear: (store) => store.table(all).clear(),
  "a batch": (store) => store.batch().deleteRange(all.range({})).write(),
  "a batch with other changes": (store) =>
    store.batch().put(key(9), value).deleteRange(all.range({})).write(),
  "a commit": (store) => {
    const overlay = store.overlay();
    overlay.deleteRange(all.range({}));
    return overlay.commit();
  },
};

const stores: Readonly<Record<string, { readonly masterKey?: Uint8Array }>> = {
  plain: {},
  encrypted: { masterKey: MASTER_KEY },
};

describe.each(Object.entries(stores))("a store, %s", (_, options) => {
  const open = () =>
    storeOn(openMemoryEngine({ columns: documented.columns }), { schema: documented, ...options });

  describe.each(Object.entries(calls))("deletes all rows: %s", (_, deleteAll) => {
    it("keeps the row of a put that came later", async () => {
      await using store = await open();
      await store.batch().put(key(1), value).put(key(3), value).write();
      await Promise.all([deleteAll(store), store.put(key(2), value), store.put(key(5), value)]);
      expect(await store.has(key(2))).toBe(true);
      expect(await store.table(all).count()).toBe(2);
    });

    it("deletes the row of a put that came before", async () => {
      await using store = await open();
      await store.put(key(1), value);
      await Promise.all([store.put(key(5), value), deleteAll(store)]);
      await Promise.all([
        store.put(key(6), value),
        deleteAll(store),
        store.put(key(2), value),
        deleteAll(store),
      ]);
      expect(await store.table(all).count()).toBe(0);
    });

    it("is finished by close, with the writes after it", async () => {
      const engine = openMemoryEngine({ columns: documented.columns });
      const store = await storeOn(engine, { schema: documented, ...options });
      await store.put(key(1), value);
      const writes = [deleteAll(store), store.put(key(2), value)];
      await Promise.all([...writes, store.close()]);
      await expect(store.put(key(3), value)).rejects.toMatchObject({ code: "CLOSED" });
    });
  });

  it("goes on after a write that fails", async () => {
    await using store = await open();
    await store.put(key(1), value);
    const { raw } = store;
    const { write } = raw;
    raw.write = () => Promise.reject(new Error("disk full"));
    await expect(store.table(all).clear()).rejects.toThrow("disk full");
    raw.write = write;
    await Promise.all([store.table(all).clear(), store.table(ContextMeta).clear(), store.put(key(2), value)]);
    expect(await store.table(all).count()).toBe(1);
  });
});

it("the commit of an overlay on a snapshot deletes the rows of a range that came after the snapshot", async () => {
  await using store = memoryStore(documented);
  await store.put(key(3), value);
  await using snapshot = await store.snapshot();
  const overlay = snapshot.overlay();
  overlay.deleteRange(all.range({}));
  await store.batch().put(key(2), value).put(key(8), value).write();
  await overlay.commit();
  expect(await store.table(all).count()).toBe(0);
});
