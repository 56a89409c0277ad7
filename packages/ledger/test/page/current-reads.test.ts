/** Reading the present state of a page, without opening a snapshot. */
import { describe, expect } from "vitest";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import type { Page, PageEntry } from "../../src/index.js";
import { asTexts, keysOf, pageTest, text } from "../support.js";

async function filled(page: Page, count: number): Promise<void> {
  await page.transaction(async (tx) => {
    for (let at = 0; at < count; at++) await tx.put(`key${String(at).padStart(4, "0")}`, `${at}`);
  });
}

async function all(entries: AsyncIterable<PageEntry>): Promise<[string, string | null][]> {
  const found = await listOf(entries);
  return asTexts(found);
}

describe("get", () => {
  pageTest("returns the value at a key, after the earlier changes", async (page) => {
    expect(await page.get("name")).toBeUndefined();
    void page.put("name", "Alice");
    expect(text((await page.get("name")) as Uint8Array)).toBe("Alice");
    void page.delete("name");
    expect(await page.get(new TextEncoder().encode("name"))).toBeUndefined();
  });

  pageTest("shows the page before a transaction while it runs", async (page) => {
    await page.transaction(async (tx) => {
      await tx.put("name", "Alice");
      expect(await page.get("name")).toBeUndefined();
    });
    expect(text((await page.get("name")) as Uint8Array)).toBe("Alice");
  });

  pageTest("refuses a value that is not a key, and a closed page", async (page) => {
    await rejection(page.get(7 as never), "INVALID_ARGUMENT");
    await rejection(page.get("key", { fetched: true } as never), "INVALID_ARGUMENT");
    await page.close();
    await rejection(page.get("key"), "CLOSED");
  });
});

describe("entries and keys", () => {
  pageTest("come in the order of the keys, from a prefix or a key on", async (page) => {
    for (const key of ["2", "10", "1", "11"]) await page.put(key, `v${key}`);
    expect(await all(page.entries())).toEqual([
      ["1", "v1"],
      ["10", "v10"],
      ["11", "v11"],
      ["2", "v2"],
    ]);
    expect(await keysOf(page.keys({ prefix: "1" }))).toEqual(["1", "10", "11"]);
    expect(await keysOf(page.keys({ prefix: "1", gte: "11" }))).toEqual(["11"]);
    expect(await keysOf(page.keys({ gte: "100" }))).toEqual(["11", "2"]);
    expect(await keysOf(page.keys({ gt: "11" }))).toEqual(["2"]);
    expect(await keysOf(page.keys({ after: "10", lte: "11" }))).toEqual(["11"]);
    expect(await keysOf(page.keys({ gte: "10", lt: "2", limit: 1 }))).toEqual(["10"]);
    expect(await keysOf(page.keys({ limit: 0 }))).toEqual([]);
    const reason = new Error("enough");
    const aborted = page.keys({ signal: AbortSignal.abort(reason) });
    await expect(keysOf(aborted)).rejects.toBe(reason);
    const chunks = (await listOf(page.entries().chunks())).map((chunk) => chunk.length);
    expect(chunks).toEqual([4]);
    await using snapshot = await page.snapshot();
    for (const keys of [page.keys({ prefix: "1" }), snapshot.keys({ lt: "2" })]) {
      const read = await keys.toArray();
      expect(read.map((key) => new TextDecoder().decode(key))).toEqual(["1", "10", "11"]);
      await rejection(keys.toArray(), "INVALID_ARGUMENT");
    }
  });

  pageTest("come in descending order with reverse, within all bounds", async (page) => {
    for (const key of ["2", "10", "1", "11"]) await page.put(key, `v${key}`);
    expect(await all(page.entries({ reverse: true, limit: 2 }))).toEqual([
      ["2", "v2"],
      ["11", "v11"],
    ]);
    expect(await keysOf(page.keys({ reverse: true, prefix: "1" }))).toEqual(["11", "10", "1"]);
    expect(await keysOf(page.keys({ reverse: true, gt: "1", lt: "2" }))).toEqual(["11", "10"]);
    expect(await keysOf(page.keys({ reverse: true, gte: "1", lte: "10" }))).toEqual(["10", "1"]);
    expect(await keysOf(page.keys({ reverse: true, after: "11" }))).toEqual(["10", "1"]);
    expect(await keysOf(page.keys({ reverse: true, gt: "2", lt: "1" }))).toEqual([]);
    expect(await keysOf(page.keys({ reverse: true, limit: 0 }))).toEqual([]);
    expect(await keysOf(page.keys({ reverse: false }))).toEqual(["1", "10", "11", "2"]);
  });

  pageTest("in a tree of several levels: any part in either direction, and its count", async (page) => {
    const keys = Array.from({ length: 3000 }, (_, at) => `key${String(at).padStart(4, "0")}`);
    await page.transaction(async (tx) => {
      for (const key of keys) await tx.put(key, key);
    });
    for (let at = 0; at < 3000; at += 271) {
      const [gte, lt] = [keys[at], keys[Math.min(2999, at + 700)]] as [string, string];
      const part = keys.filter((key) => key >= gte && key < lt);
      expect(await keysOf(page.keys({ gte, lt }))).toEqual(part);
      expect(await keysOf(page.keys({ gte, lt, reverse: true }))).toEqual(part.toReversed());
      expect(await page.count({ gte, lt })).toBe(part.length);
    }
    const values = await all(page.entries({ reverse: true }));
    expect(values).toEqual(keys.toReversed().map((key) => [key, key]));
    expect(await page.count()).toBe(3000);
    expect(await page.count({ prefix: "key1" })).toBe(1000);
    expect(await page.count({ prefix: new Uint8Array([0xff, 0xff]) })).toBe(0);
    const reason = new Error("enough");
    await expect(page.count({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  pageTest("are of one state, whatever changes meanwhile", async (page) => {
    await filled(page, 600);
    const found: string[] = [];
    for await (const { value } of page.entries()) {
      if (found.length === 1) await page.clear();
      found.push(text(value as Uint8Array));
    }
    expect(found).toEqual(Array.from({ length: 600 }, (_, at) => `${at}`));
    expect(await all(page.entries())).toEqual([]);
  });

  pageTest("show the page at the beginning of the iteration, not of the call", async (page) => {
    const entries = page.entries();
    await page.put("a", "1");
    expect(await all(entries)).toEqual([["a", "1"]]);
  });

  pageTest("hold their state only until the iteration ends, also early", async (page, ledger) => {
    await filled(page, 600);
    for await (const _ of page.entries()) break;
    for await (const _ of page.keys());
    await page.get("key0001");
    await page.close();
    // Nothing keeps the page open.
    expect((await ledger.usage())[0]?.closedAt).toBeDefined();
  });

  pageTest("go on after the page is closed", async (page, ledger) => {
    await filled(page, 600);
    let count = 0;
    for await (const _ of page.entries()) if (count++ === 0) await page.close();
    expect(count).toBe(600);
    expect((await ledger.usage())[0]?.closedAt).toBeDefined();
  });

  pageTest("copy their arguments", async (page) => {
    await page.put("a1", "1");
    await page.put("b1", "2");
    const prefix = new TextEncoder().encode("a");
    const keys = page.keys({ prefix });
    prefix[0] = 0x62;
    expect(await keysOf(keys)).toEqual(["a1"]);
  });

  pageTest("refuse options that do not exist, at once", async (page) => {
    expect(() => page.entries({ to: "a" } as never)).toThrow("to");
    expect(() => page.keys({ prefix: 7 } as never)).toThrow("prefix");
  });
});
