import { join } from "node:path";
import type { Engine } from "merostore/engine";
import { openLevelEngine } from "merostore/engine";
import { MemoryDatabase, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryCopy, temporaryFolder } from "../../../../test/engines/temporary.js";
import { listOf } from "../../../../test/support/lists.js";
import { PageUsage } from "../../src/repository/page-usage.js";
import { COLUMN } from "../../src/rows/row.js";
import { pageId } from "../places/helpers.js";
import { ticking } from "../support.js";

cleanUpAfterEach();

const [first, second, third] = ["1", "2", "3"].map(pageId) as [Uint8Array, Uint8Array, Uint8Array];

function memory(): MemoryDatabase {
  return new MemoryDatabase({ columns: [] });
}

async function rows(engine: Engine): Promise<[string, string][]> {
  return (await listOf(engine.scan(COLUMN))).map(({ key, value }) => [toHex(key), toHex(value)]);
}

/** `[ledger, first letter of the page, time]` of each entry. */
async function summary(usage: PageUsage): Promise<[string, string, bigint | undefined][]> {
  return (await usage.pages()).map(({ ledger, page, closedAt }) => [
    ledger,
    String.fromCharCode(page[0] as number),
    closedAt,
  ]);
}

function rawRow(ledger: string, page: Uint8Array, value: bigint): Parameters<Engine["write"]>[0][number] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, value, true);
  const key = Buffer.concat([Buffer.from(`opened/${ledger}`), page]);
  return { type: "put", column: COLUMN, key, value: bytes };
}

describe("the usage of pages", () => {
  it("is written as documented", async () => {
    const database = memory();
    const engine = database.open();
    const usage = await PageUsage.open(engine, () => 0x0102030405060708n);
    await usage.markOpened("ledger", first);
    const key = `6f70656e65642f6c656467657231${"00".repeat(15)}`;
    expect(await rows(engine)).toEqual([[key, "0000000000000000"]]);
    await usage.markClosed("ledger", first);
    expect(await rows(engine)).toEqual([[key, "0807060504030201"]]);
    await usage.remove("ledger", first);
    expect(await rows(engine)).toEqual([]);
  });

  it("marks pages as opened and closed, and notifies listeners at once", async () => {
    const usage = await PageUsage.open(memory().open(), ticking(100n));
    expect(usage.isOpen("ledger", first)).toBe(false);
    const marking = usage.markOpened("ledger", first);
    expect(usage.isOpen("ledger", first)).toBe(true);
    expect(usage.isOpen("ledger", second)).toBe(false);
    expect(usage.isOpen("ledger2", first)).toBe(false);
    await marking;
    expect(await summary(usage)).toEqual([["ledger", "1", undefined]]);
    await usage.markClosed("ledger", first);
    expect(usage.isOpen("ledger", first)).toBe(false);
    const [entry] = await usage.pages();
    expect(entry?.closedAt).toBeGreaterThanOrEqual(100n);
    expect(entry?.page).toEqual(first);
  });

  it("is marked in the order of the calls, each with the time of its call", async () => {
    const usage = await PageUsage.open(memory().open(), ticking(1000n));
    const marks: Promise<void>[] = [];
    for (let at = 0; at < 50; at++)
      marks.push(usage.markOpened("a", first), usage.markClosed("a", first), usage.markClosed("a", second));
    marks.push(usage.markOpened("a", third), usage.remove("a", second));
    const seen = summary(usage);
    marks.push(usage.markOpened("a", first));
    await Promise.all(marks);
    const [closed, open] = await seen;
    expect(closed?.slice(0, 2)).toEqual(["a", "1"]);
    expect(closed?.[2]).toBe(1099n); // the clock was asked once at opening, then twice in each of 50 rounds
    expect(open).toEqual(["a", "3", undefined]);
    expect(await summary(usage)).toEqual([
      ["a", "1", undefined],
      ["a", "3", undefined],
    ]);
  });

  it("closes pages at the start that were left open, and keeps the times of closed pages", async () => {
    const database = memory();
    const engine = database.open();
    await engine.write([
      rawRow("a", first, 7n),
      rawRow("a", second, 0n),
      rawRow("b", first, -(2n ** 63n)),
      rawRow("b", second, 9n),
      rawRow("b", third, 2n ** 63n - 1n),
    ]);
    const usage = await PageUsage.open(engine, () => 500n);
    expect(await summary(usage)).toEqual([
      ["a", "1", 7n],
      ["b", "2", 9n],
      ["a", "2", 500n],
      ["b", "1", 500n],
      ["b", "3", 2n ** 63n - 1n],
    ]);
    expect(usage.isOpen("a", second)).toBe(false);
    await usage.close();
    const again = await PageUsage.open(database.open(), () => 600n);
    expect((await summary(again))[2]).toEqual(["a", "2", 500n]);
    await again.close();
  });

  it("is sorted by time, then ledger, then page, even if keys have another order", async () => {
    const engine = memory().open();
    // "a" and a page that begins with "b…" lies after "ab" and a page that begins with "\0".
    const late = pageId("c");
    const early = new Uint8Array(16);
    await engine.write([
      rawRow("ab", early, 5n),
      rawRow("a", late, 5n),
      rawRow("a", early, 5n),
      rawRow("\uff5e", early, 5n),
      rawRow("😀", early, 5n),
      rawRow("z", early, 4n),
      rawRow("z", late, -4n),
    ]);
    const usage = await PageUsage.open(engine, () => 1n);
    const order = (await usage.pages()).map(({ ledger, page }) => `${ledger}${page[0]}`);
    expect(order).toEqual(["z99", "z0", "a0", "a99", "ab0", "\uff5e0", "😀0"]);
  });

  it("notifies its listeners of openings before they are written, until they unsubscribe", async () => {
    const usage = await PageUsage.open(memory().open());
    const seen: string[] = [];
    const stop = usage.onOpening((ledger, page) => seen.push(`${ledger}${page[0]}`));
    const marking = usage.markOpened("a", first);
    expect(seen).toEqual(["a49"]);
    await marking;
    await usage.markClosed("a", first);
    stop();
    await usage.markOpened("a", first);
    expect(seen).toEqual(["a49"]);
  });

  it("goes on after a mark that failed", async () => {
    const engine = memory().open();
    let fails = true;
    const failing = new Proxy(engine, {
      get(target, name) {
        if (name === "write" && fails) return () => Promise.reject(new Error("full"));
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    const usage = await PageUsage.open(failing);
    await expect(usage.markOpened("a", first)).rejects.toThrow("full");
    fails = false;
    await usage.markOpened("a", second);
    expect(await summary(usage)).toEqual([["a", "2", undefined]]);
  });

  it("refuses ids that are none", async () => {
    const usage = await PageUsage.open(memory().open());
    expect(() => usage.markOpened("a", new Uint8Array(15))).toThrow(/16 bytes/);
    expect(await summary(usage)).toEqual([]);
  });

  it("a damaged row costs its page's usage, and no other: the page counts as closed at the next opening", async () => {
    const key = (name: string, page = first): Uint8Array =>
      Buffer.concat([Buffer.from(`opened/${name}`, "latin1"), page]);
    for (const value of [new Uint8Array(0), new Uint8Array(7), new Uint8Array(9)]) {
      const database = memory();
      const engine = database.open();
      await engine.write([
        rawRow("a", first, 500n),
        { type: "put", column: COLUMN, key: key("a", second), value },
        rawRow("a", third, 0n),
      ]);
      const usage = await PageUsage.open(engine, () => 900n);
      expect(await summary(usage)).toEqual([
        ["a", "1", 500n],
        ["a", "2", 900n],
        ["a", "3", 900n],
      ]);
      // One that is damaged while it is open is left out, until it is written again.
      await engine.write([{ type: "put", column: COLUMN, key: key("a", second), value }]);
      expect((await summary(usage)).map(([, page]) => page)).toEqual(["1", "3"]);
      await usage.markOpened("a", second);
      expect((await summary(usage)).at(-1)).toEqual(["a", "2", undefined]);
      await usage.close();
    }
  });

  it("rows that name no page of a ledger are left as they are, and keep nobody from working", async () => {
    const names = ["opened/short", "opened/", `opened/${"x".repeat(190)}`];
    const keys = names.map((name, at) =>
      Buffer.concat([Buffer.from(name, "latin1"), at === 0 ? Buffer.of() : first]),
    );
    const engine = memory().open();
    for (const key of keys)
      await engine.write([{ type: "put", column: COLUMN, key, value: new Uint8Array(8) }]);
    const before = await rows(engine);
    const usage = await PageUsage.open(engine, () => 900n);
    expect(await usage.pages()).toEqual([]);
    expect(await rows(engine)).toEqual(before);
    await usage.markOpened("a", first);
    expect(await summary(usage)).toEqual([["a", "1", undefined]]);
  });

  it("survives the end of a process, on disk", async () => {
    const path = join(temporaryFolder(), "usage");
    const usage = await PageUsage.open(await openLevelEngine(path, { create: true }), ticking(100n));
    await usage.markOpened("a", first);
    await usage.markOpened("a", second);
    await usage.markClosed("a", first);
    const copy = temporaryCopy(path);
    await usage.close();
    const again = await PageUsage.open(await openLevelEngine(copy, { writable: true }), () => 900n);
    expect(await summary(again)).toEqual([
      ["a", "1", 101n],
      ["a", "2", 900n],
    ]);
    await again.close();
  });

  it("waits for pending marks when it is closed", async () => {
    const database = memory();
    const usage = await PageUsage.open(database.open(), ticking(1n));
    const marking = usage.markOpened("a", first);
    await usage.close();
    await marking;
    const again = await PageUsage.open(database.open(), () => 50n);
    expect(await summary(again)).toEqual([["a", "1", 50n]]);
  });
});
