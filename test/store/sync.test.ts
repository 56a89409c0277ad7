/** The option `sync` of a store, and the writes of the engine that get it. */
import { describe, expect, it, vi } from "vitest";
import { openMemoryEngine } from "../../src/engines/index.js";
import { GroupDefaultCaps } from "../../src/keys/index.js";
import { type Core010, core010 } from "../../src/schemas/index.js";
import { openStore, type Store, storeOn } from "../../src/store/index.js";
import { fixture } from "../engines/temporary.js";

const key = new GroupDefaultCaps({ groupId: new Uint8Array(32) });
const value = { capabilities: 3 };

async function spied(sync?: boolean) {
  const engine = openMemoryEngine({ columns: core010.columns });
  const write = vi.spyOn(engine, "write");
  const store = await storeOn(engine, { schema: core010, ...(sync === undefined ? {} : { sync }) });
  return { store, synced: () => write.mock.calls.map(([, options]) => options?.sync) };
}

async function writeInEveryWay(store: Store<Core010>, options?: { readonly sync: boolean }) {
  await store.put(key, value, options);
  await store.delete(key, options);
  await store.table(GroupDefaultCaps).clear(options);
  await store.batch().put(key, value).write(options);
  for (const reader of [store, await store.snapshot()]) {
    const overlay = reader.overlay();
    overlay.put(key, value);
    await overlay.commit(options);
  }
}

describe("the option sync", () => {
  it("is off unless given", async () => {
    const { store, synced } = await spied();
    await writeInEveryWay(store);
    expect(synced()).toEqual(Array(6).fill(false));
  });

  it("reaches the engine from every kind of write", async () => {
    const { store, synced } = await spied();
    await writeInEveryWay(store, { sync: true });
    expect(synced()).toEqual(Array(6).fill(true));
  });

  it("of the store holds for writes that do not say", async () => {
    const { store, synced } = await spied(true);
    await writeInEveryWay(store);
    await store.put(key, value, { sync: false });
    expect(synced()).toEqual([...Array(6).fill(true), false]);
  });

  it("is refused where nothing can be written, and where it is not a flag", async () => {
    await expect(openStore(fixture("core-0.11/tables"), { sync: true })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: "sync is for writing: open the database with writable: true",
    });
    const { store, synced } = await spied();
    await expect(store.put(key, value, { sync: 1 as never })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await expect(store.overlay().commit({ synced: true } as never)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    expect(synced()).toEqual([]);
    const batch = store.batch().put(key, value);
    await expect(batch.write({ sync: "yes" as never })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await batch.write();
    expect(synced()).toEqual([false]);
  });
});
