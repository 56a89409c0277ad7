/** Deleting a range without an end: one tombstone, however many puts came before it in the batch. */
import { describe, expect, it } from "vitest";
import { openMemoryEngine, type WriteOperation } from "../../src/engines/index.js";
import { ContextMeta, ContextStateDocumented } from "../../src/keys/index.js";
import { documented } from "../../src/schemas/index.js";
import { storeOn } from "../../src/store/index.js";

function recordingEngine() {
  const engine = openMemoryEngine({ columns: documented.columns });
  const written: WriteOperation[][] = [];
  const write = engine.write.bind(engine);
  engine.write = (operations, options) => {
    written.push([...operations]);
    return write(operations, options);
  };
  return { engine, written };
}

const idOf = (number: number) => {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
};
const keyOf = (number: number) =>
  new ContextStateDocumented({ contextId: idOf(number), stateKey: Uint8Array.of(1) });

describe("an open-ended deleteRange", () => {
  it("after 200,000 puts in its batch is one tombstone, which deletes them all", async () => {
    const { engine, written } = recordingEngine();
    await using store = await storeOn(engine, { schema: documented });
    const batch = store.batch();
    for (let number = 0; number < 200_000; number++) batch.put(keyOf((number * 7) % 200_000), idOf(number));
    await batch.deleteRange(ContextStateDocumented.range({})).put(keyOf(5), idOf(5)).write();
    const deletions = written[0]?.filter(({ type }) => type === "deleteRange");
    expect(deletions).toHaveLength(1);
    expect(await store.table(ContextStateDocumented).count()).toBe(1);
  });

  it("ends after the last key of the database and the batch", async () => {
    const { engine, written } = recordingEngine();
    await using store = await storeOn(engine, { schema: documented });
    await store.put(keyOf(900), idOf(1));
    await store.batch().put(keyOf(3), idOf(1)).deleteRange(ContextStateDocumented.range({})).write();
    await store.batch().deleteRange(ContextStateDocumented.range({})).write();
    expect(await store.table(ContextStateDocumented).count()).toBe(0);
    const counts = written.map((batch) => batch.filter(({ type }) => type === "deleteRange").length);
    expect(counts).toEqual([0, 1, 0]); // nothing to delete: nothing is written
  });

  it("of an overlay is one tombstone for each range", async () => {
    const { engine, written } = recordingEngine();
    await using store = await storeOn(engine, { schema: documented });
    await store.put(keyOf(2), idOf(1));
    const overlay = store.overlay();
    for (let number = 0; number < 3000; number++) overlay.put(keyOf(number), idOf(number));
    overlay.deleteRange(ContextStateDocumented.range({}));
    overlay.deleteRange(ContextMeta.range({}));
    await overlay.commit();
    expect(written[1]).toHaveLength(1);
    expect(await store.table(ContextStateDocumented).count()).toBe(0);
  });
});
