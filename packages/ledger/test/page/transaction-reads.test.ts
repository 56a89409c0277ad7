/** Reads in the work of a transaction see its own changes. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import type { PageTransaction } from "../../src/index.js";
import { contents, pageTest, text } from "../support.js";

async function shown(tx: PageTransaction, options = {}): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key, value } of tx.entries(options)) found[text(key)] = value ? text(value) : "";
  return found;
}

async function keysIn(tx: PageTransaction, options = {}): Promise<string[]> {
  return (await listOf(tx.keys(options))).map((key) => text(key));
}

pageTest("read, change and write again, also side by side", async (page) => {
  await page.put("count", "0");
  const add = () =>
    page.transaction(async (tx) => {
      const count = Number(text((await tx.get("count")) as Uint8Array));
      await tx.put("count", String(count + 1));
      expect(text((await tx.get("count")) as Uint8Array)).toBe(String(count + 1));
    });
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await contents(page)).toEqual({ count: "20" });
});

pageTest("puts, deletions and new keys show in both directions, and in counts", async (page) => {
  for (const key of ["a", "b", "c", "d"]) await page.put(key, "old");
  await page.transaction(async (tx) => {
    await tx.put("b", "new");
    await tx.delete("c");
    await tx.delete("none");
    await tx.put("aa", "new");
    await tx.put("z", "new");
    expect(await tx.get("c")).toBeUndefined();
    expect(await tx.get("none")).toBeUndefined();
    expect(await shown(tx)).toEqual({ a: "old", aa: "new", b: "new", d: "old", z: "new" });
    expect(await keysIn(tx, { reverse: true, limit: 3 })).toEqual(["z", "d", "b"]);
    expect(await keysIn(tx, { prefix: "a" })).toEqual(["a", "aa"]);
    expect(await keysIn(tx, { gt: "a", lt: "d" })).toEqual(["aa", "b"]);
    expect(await keysIn(tx, { reverse: true, gt: "a", lte: "b" })).toEqual(["b", "aa"]);
    expect(await tx.count()).toBe(5);
    expect(await page.count()).toBe(4);
    await tx.put("c", "again");
    expect(text((await tx.get("c")) as Uint8Array)).toBe("again");
  });
  expect(await contents(page)).toEqual({ a: "old", aa: "new", b: "new", c: "again", d: "old", z: "new" });
});

pageTest("after clear only later entries show", async (page) => {
  for (const key of ["a", "b"]) await page.put(key, "old");
  await page.transaction(async (tx) => {
    await tx.clear();
    expect(await shown(tx)).toEqual({});
    expect(await tx.get("a")).toBeUndefined();
    await tx.put("b", "new");
    expect(await shown(tx, { reverse: true })).toEqual({ b: "new" });
    expect(await tx.count()).toBe(1);
  });
  expect(await contents(page)).toEqual({ b: "new" });
});

pageTest("in a tree of several levels the changes are at their places", async (page) => {
  const keys = Array.from({ length: 1500 }, (_, at) => `key${String(at).padStart(4, "0")}`);
  await page.transaction(async (tx) => {
    for (const key of keys) await tx.put(key, "old");
  });
  await page.transaction(async (tx) => {
    for (let at = 0; at < 1500; at += 2) await tx.delete(keys[at] as string);
    for (let at = 1; at < 1500; at += 10) await tx.put(`${keys[at]}x`, "new");
    const expected = keys
      .flatMap((key, at) => (at % 2 === 0 ? [] : at % 10 === 1 ? [key, `${key}x`] : [key]))
      .sort();
    expect(await keysIn(tx)).toEqual(expected);
    expect(await keysIn(tx, { reverse: true })).toEqual(expected.toReversed());
  });
});

pageTest("a rollback leaves nothing of the values that were read", async (page) => {
  const long = new Uint8Array(300_000).fill(7);
  const work = page.transaction(async (tx) => {
    await tx.put("long", long);
    expect(await tx.get("long")).toEqual(long);
    throw new Error("rolled back");
  });
  await expect(work).rejects.toThrow("rolled back");
  expect(await contents(page)).toEqual({});
});

pageTest("the source of a value may read", async (page) => {
  await page.put("a", "old");
  await page.transaction(async (tx) => {
    await tx.put("a", "new");
    async function* copy(): AsyncGenerator<Uint8Array> {
      yield (await tx.get("a")) as Uint8Array;
    }
    await tx.put("b", copy());
  });
  expect(await contents(page)).toEqual({ a: "new", b: "new" });
});

pageTest("memory does not grow with the reads of a transaction", async (page) => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await page.put("a", "1");
  await page.transaction(async (tx) => {
    const read = async (): Promise<void> => {
      for (let count = 0; count < 10_000; count++) await tx.get("a");
    };
    await read();
    const before = used();
    await read();
    // A read that stays would keep a kilobyte.
    expect(used() - before).toBeLessThan(3_000_000);
  });
});

pageTest("after the work reads fail", async (page) => {
  await page.transaction(async (tx) => {
    for (let at = 0; at < 2000; at++) await tx.put(`key${at}`, "1");
  });
  let late: PageTransaction | undefined;
  const { begun } = await page.transaction(async (tx) => {
    late = tx;
    await rejection(tx.get(7 as never), "INVALID_ARGUMENT");
    await rejection((async () => tx.entries({ to: "b" } as never))(), "INVALID_ARGUMENT");
    const chunks = tx.keys().chunks();
    await chunks.next();
    return { begun: chunks };
  });
  await rejection(begun.next(), "CLOSED");
  await rejection((late as PageTransaction).get("a"), "ILLEGAL_STATE");
  await rejection((late as PageTransaction).count(), "ILLEGAL_STATE");
});
