/** Uses that a closed store, snapshot or overlay refuses: rows that were read already, and a commit. */
import { describe, expect, it } from "vitest";
import { openMemoryEngine } from "../../src/engines/index.js";
import { ContextStateDocumented } from "../../src/keys/index.js";
import { documented } from "../../src/schemas/index.js";
import { type Snapshot, type Store, type StoreReader, storeOn } from "../../src/store/index.js";

type DocumentedStore = Store<typeof documented>;
type DocumentedSnapshot = Snapshot<typeof documented>;

const id = (byte: number) => new Uint8Array(32).fill(byte);
const key = (byte: number) => new ContextStateDocumented({ contextId: id(byte), stateKey: id(0) });

async function open() {
  const engine = openMemoryEngine({ columns: documented.columns });
  const store = await storeOn(engine, { schema: documented });
  const batch = store.batch();
  for (let at = 0; at < 20; at++) batch.put(key(at), id(at));
  await batch.write();
  return { engine, store, snapshot: await store.snapshot() };
}

const views = {
  store: (store: DocumentedStore) => store,
  snapshot: (_: DocumentedStore, snapshot: DocumentedSnapshot) => snapshot,
  "overlay on a store": (store: DocumentedStore) => store.overlay(),
  "overlay on a snapshot": (_: DocumentedStore, snapshot: DocumentedSnapshot) => snapshot.overlay(),
};

const ends: Readonly<Record<keyof typeof views, readonly ("engine" | "store" | "snapshot")[]>> = {
  store: ["engine", "store"],
  snapshot: ["engine", "store", "snapshot"],
  "overlay on a store": ["engine", "store"],
  "overlay on a snapshot": ["engine", "store", "snapshot"],
};

describe.each(Object.keys(views) as (keyof typeof views)[])("%s", (what) => {
  it.each(ends[what])("gives no row any more at once when its %s is closed", async (end) => {
    const opened = await open();
    const view: StoreReader<typeof documented> = views[what](opened.store, opened.snapshot);
    const typed = view.table(ContextStateDocumented).scan()[Symbol.asyncIterator]();
    const raw = view.raw.scan("State")[Symbol.asyncIterator]();
    const chunks = view.table(ContextStateDocumented).scan().chunks();
    for (const rows of [typed, raw, chunks]) await rows.next();
    const closing = opened[end].close();
    for (const rows of [typed, raw, chunks])
      await expect(rows.next()).rejects.toMatchObject({ code: "CLOSED" });
    await closing;
    await expect(async () => view.table(ContextStateDocumented).scan().chunks().next()).rejects.toMatchObject(
      {
        code: "CLOSED",
      },
    );
    await expect(view.get(key(1))).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe("the commit of an overlay on a snapshot", () => {
  it.each(["snapshot", "store", "engine"] as const)("writes nothing once its %s is closed", async (end) => {
    const opened = await open();
    const overlay = opened.snapshot.overlay();
    overlay.put(key(99), id(99));
    const empty = opened.snapshot.overlay();
    await opened[end].close();
    await expect(overlay.commit()).rejects.toMatchObject({ code: "CLOSED" });
    await expect(empty.commit()).rejects.toMatchObject({ code: "CLOSED" });
    if (end === "snapshot") expect(await opened.store.has(key(99))).toBe(false);
  });
});
