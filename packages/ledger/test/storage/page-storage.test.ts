/** Committing changes, and the rows that are stored. */
import { openMemoryEngine } from "merostore/engine";
import { fromHex, toHex } from "merostore/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { onlineRow } from "../../src/rows/page-rows.js";
import type { Commit } from "../../src/storage/commit.js";
import { readPageState } from "../../src/storage/page-state.js";
import { KEY_INDEX, mixedBytes, named, text } from "../inputs.js";
import { Counts, counted } from "./counted.js";
import { TestPage } from "./pages.js";

let page: TestPage;
let first: Commit;
beforeEach(async () => {
  page = await TestPage.open();
  first = await page.head();
});

const long = (letter: string) => letter.repeat(100);

describe("a commit", () => {
  it("that merges is one even if nothing changes", async () => {
    const a = await page.commit([first], (journal) => journal.put("key", "value"));
    const b = await page.commit([first], (journal) => journal.put("key", "value"));
    const merge = await page.commit([a, b], () => {});
    expect(merge.root).toEqual(a.root);
    expect(await page.head()).toEqual(merge);
  });

  it("stores nothing of values that later ones replaced, or that were deleted again", async () => {
    const kept = await page.edit((journal) => {
      journal.put("a", long("1"));
      journal.put("a", long("2"));
      journal.put("b", long("3"));
      journal.delete("b");
      journal.put("c", long("4"));
      journal.clear();
      journal.put("a", long("5"));
    });
    expect(await page.contents(kept)).toEqual({ a: long("5") });
    expect(await page.pieceNames()).toEqual(await page.reachable([kept]));
    expect(await page.pieceNames()).toHaveLength(2);
  });

  it("keeps the value that is put for two keys, when one of them is deleted", async () => {
    const kept = await page.edit((journal) => {
      journal.put("a", long("1"));
      journal.put("b", long("1"));
      journal.delete("b");
    });
    expect(await page.contents(kept)).toEqual({ a: long("1") });
  });
});

describe("pieces of three commits", () => {
  it("are three values and three roots", async () => {
    for (const letter of "abc") await page.edit((journal) => journal.put(letter, long(letter)));
    const local = await page.withStatus("local");
    expect(local).toHaveLength(6);
    expect(await readPageState(page.engine)).toMatchObject({ synced: false });
    const value = page.storage.values.split(text(long("a"))).root;
    await page.engine.write(await page.storage.pieces.raise([value], "synced"));
    expect(await page.withStatus("local")).toEqual(local.filter((name) => name !== named(value)));
  });
});

describe("a page of 500 keys of 1024 bytes", () => {
  it("has nodes that are split, and all their parts are local", async () => {
    const commit = await page.edit((journal) => {
      for (let at = 0; at < 500; at++) journal.put(String(at).padStart(1024, "k"), `${long("v")} ${at % 7}`);
    });
    const local = await page.withStatus("local");
    const split = local.filter((name) => name.startsWith("06"));
    expect(split).not.toEqual([]);
    for (const node of split) {
      const parts = [];
      for await (const part of page.storage.objects.pieces({ keyIndex: KEY_INDEX, digest: fromHex(node) }))
        parts.push(named(part));
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) expect(local).toContain(part);
    }
    expect(await page.pieceNames()).toEqual(local);
    expect(await page.pieceNames()).toEqual(await page.reachable([commit]));
    expect(await page.storedEdges()).toEqual(await page.expectedEdges());
    // Reads the rows alone.
    const again = await TestPage.open({}, page.engine);
    expect(await again.entries(commit)).toHaveLength(500);
  });
});

describe("values that are stored before a commit", () => {
  const content = mixedBytes(200_000);
  const blocks = () =>
    Array.from({ length: 20 }, (_, at) => content.subarray(10_000 * at, 10_000 * (at + 1)));

  it("are transient, and the page none the worse for it", async () => {
    const { root, size } = await page.storage.values.store(blocks());
    expect(size).toBe(200_000);
    expect(root).toEqual(page.storage.values.split(content).root);
    expect(await page.withStatus("transient")).toEqual(await page.pieceNames());
    expect(Buffer.compare(await page.storage.objects.whole(root), content)).toBe(0);
    expect(await readPageState(page.engine)).toMatchObject({ empty: true });
    expect(await readPageState(page.engine)).toMatchObject({ synced: true });
  });

  it("are local with all their pieces once they are committed", async () => {
    const { root, release } = await page.storage.values.store(blocks());
    const commit = await page.edit((journal) => journal.putReference("key", root));
    release();
    expect(await page.withStatus("transient")).toEqual([]);
    expect(await page.withStatus("local")).toEqual(await page.pieceNames());
    expect(await page.pieceNames()).toEqual(await page.reachable([commit]));
    expect((await page.pieceNames()).length).toBeGreaterThan(10);
  });

  it("are held until they are released", async () => {
    const { root, release } = await page.storage.values.store([content]);
    expect([...page.storage.objectHolds].map(toHex)).toEqual([named(root)]);
    release();
    release();
    expect([...page.storage.objectHolds]).toEqual([]);
  });

  it("have no row if they are short", async () => {
    const before = await page.rows();
    const { root } = await page.storage.values.store([text("some data")]);
    expect(Buffer.from(await page.storage.objects.whole(root)).toString()).toBe("some data");
    expect(await page.rows()).toEqual(before);
  });
});

describe("a journal that is not committed", () => {
  it("leaves nothing but transient pieces", async () => {
    const before = await page.rows();
    const journal = page.journal();
    journal.put("a", long("a"));
    const { root } = await page.storage.values.store([text(long("b"))]);
    journal.putReference("b", root);
    const transient = await page.withStatus("transient");
    expect(transient).toEqual([named(root)]);
    expect(await page.pieceNames()).toEqual(transient);
    expect(Object.keys(await page.rows())).toHaveLength(Object.keys(before).length + 2);
    expect(await page.head()).toEqual(first);
  });
});

describe("a page", () => {
  it("is empty with one head without entries", async () => {
    expect(await readPageState(page.engine)).toMatchObject({ empty: true });
    const a = await page.edit((journal) => journal.put("key", "value"));
    expect(await readPageState(page.engine)).toMatchObject({ empty: false });
    const cleared = await page.edit((journal) => journal.delete("key"));
    expect(await readPageState(page.engine)).toMatchObject({ empty: true });
    const other = await page.commit([a], (journal) => journal.clear());
    expect(other.root).toEqual(cleared.root);
    // Both heads are without entries, but there are two of them.
    expect(await readPageState(page.engine)).toMatchObject({ empty: false });
  });

  it("was online if its row shows this", async () => {
    expect(await readPageState(page.engine)).toMatchObject({ online: false });
    await page.engine.write([onlineRow.put({}, null)]);
    expect(await readPageState(page.engine)).toMatchObject({ online: true });
  });
});

it("a small commit asks the database once: for the statuses of its new pieces", async () => {
  const counts = new Counts();
  const page = await TestPage.open({}, counted(openMemoryEngine({ columns: [] }), counts));
  await page.edit((journal) => journal.put("key", "a ".repeat(100)));
  counts.reads = 0;
  await page.edit((journal) => journal.put("key", "b ".repeat(100)));
  expect(counts.reads).toBe(1);
});
