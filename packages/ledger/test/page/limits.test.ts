/** Values that a page takes, and values that it refuses; use after the end. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { MAX_KEY_SIZE, MemoryCloud, memoryPlace, type Priority, ROOT_PAGE_ID } from "../../src/index.js";
import {
  contents,
  Gate,
  headOf,
  isSettled,
  keysOf,
  PAGE,
  pageTest,
  shown,
  testLedger,
  twoOf,
  twoPagesTest,
} from "../support.js";

describe("keys", () => {
  pageTest("have at most 256 bytes, everywhere", async (page) => {
    expect(MAX_KEY_SIZE).toBe(256);
    const longest = "k".repeat(256);
    await page.put(longest, "1");
    expect(await contents(page)).toEqual({ [longest]: "1" });
    await using snapshot = await page.snapshot();
    expect(await snapshot.has(longest)).toBe(true);
    // 257 bytes in 129 characters.
    for (const long of ["k".repeat(257), `${"é".repeat(128)}k`, new Uint8Array(257)]) {
      await rejection(page.put(long, "1"), "INVALID_ARGUMENT");
      await rejection(page.delete(long), "INVALID_ARGUMENT");
      await rejection(snapshot.get(long), "INVALID_ARGUMENT");
      await rejection(snapshot.has(long), "INVALID_ARGUMENT");
      await rejection(snapshot.getPartial(long, 0, -1), "INVALID_ARGUMENT");
      await rejection(snapshot.stream(long).next(), "INVALID_ARGUMENT");
    }
    expect(await headOf(page)).toEqual(snapshot.commitId);
  });

  pageTest("are bytes of whatever kind, ordered as such", async (page) => {
    const keys = [[0xff], [0x2f, 0x2f], [], [0], [0x2f], [0xff, 0xff], [0x7f], [0x80]];
    for (const key of keys) await page.put(Uint8Array.from(key), "x");
    await using snapshot = await page.snapshot();
    const found: number[][] = [];
    for await (const key of snapshot.keys()) found.push([...key]);
    expect(found).toEqual([[], [0], [0x2f], [0x2f, 0x2f], [0x7f], [0x80], [0xff], [0xff, 0xff]]);
  });

  pageTest.each<unknown>([undefined, null, 7, {}, ["k"]])("are not %j", async (page, wrong) => {
    await rejection(page.put(wrong as unknown as string, "x"), "INVALID_ARGUMENT");
    await rejection(page.delete(wrong as unknown as string), "INVALID_ARGUMENT");
  });
});

pageTest.each<unknown>([undefined, null, 7, {}, ["x"]])("a value is not %j", async (page, wrong) => {
  await rejection(page.put("key", wrong as unknown as string), "INVALID_ARGUMENT");
  await rejection(page.createReference(wrong as unknown as string), "INVALID_ARGUMENT");
  await page.put("key", "good");
  expect(await contents(page)).toEqual({ key: "good" });
});

pageTest("a priority is eager or lazy, and nothing else is stored", async (page) => {
  await rejection(page.put("key", "x", { priority: "soon" as Priority }), "INVALID_ARGUMENT");
  await page.put("a", "1", { priority: "lazy" });
  await page.put("b", "2", { priority: "eager" });
  await page.put("c", "3");
  await using snapshot = await page.snapshot();
  const { items } = await snapshot.entriesPart();
  expect(items.map(({ priority }) => priority)).toEqual(["lazy", "eager", "eager"]);
});

it.each([
  "",
  "0".repeat(31),
  "00".repeat(17),
  "zz".repeat(16),
  new Uint8Array(15),
  new Uint8Array(17),
  7,
  undefined,
])("a page id is not %j", async (wrong) => {
  await using ledger = await testLedger();
  const open = async () => ledger.page(wrong as string);
  await rejection(open(), "INVALID_ARGUMENT");
});

describe("after its end", () => {
  twoPagesTest("a connection does nothing, and the others go on", async ([page, other]) => {
    await page.put("name", "Alice");
    await page.close();
    await page.close();
    for (const use of [
      () => page.put("name", "Bob"),
      () => page.delete("name"),
      () => page.clear(),
      () => page.createReference("x"),
      () => page.transaction(async () => undefined),
      () => page.snapshot(),
      () => page.watch({}, () => undefined),
      () => page.waitForConflictResolution(),
    ])
      await rejection(use(), "CLOSED");
    expect(await contents(other)).toEqual({ name: "Alice" });
  });

  pageTest("a snapshot does nothing, also in the midst of a scan", async (page) => {
    for (let at = 0; at < 300; at++) await page.put(`key${at}`, "value ".repeat(10));
    await page.put("large", "x".repeat(300_000));
    const snapshot = await page.snapshot();
    const entries = snapshot.entries().chunks();
    const rows = snapshot.entries()[Symbol.asyncIterator]();
    const keys = snapshot.keys()[Symbol.asyncIterator]();
    const stream = snapshot.stream("large");
    for (const begun of [entries, rows, keys]) await begun.next();
    await stream.next();
    await snapshot.close();
    await snapshot.close();
    for (const read of [rows, keys]) await rejection(read.next(), "CLOSED");
    await rejection(snapshot.get("key1"), "CLOSED");
    await rejection(snapshot.getPartial("key1", 0, 1), "CLOSED");
    await rejection(snapshot.has("key1"), "CLOSED");
    await rejection(snapshot.stream("key1").next(), "CLOSED");
    await rejection(snapshot.entriesPart(), "CLOSED");
    await rejection(snapshot.keysPart(), "CLOSED");
    await rejection((async () => shown(snapshot))(), "CLOSED");
    await rejection((async () => keysOf(snapshot.keys()))(), "CLOSED");
    await rejection(entries.next(), "CLOSED");
    await rejection(stream.next(), "CLOSED");
  });

  it("a ledger does nothing", async () => {
    const ledger = await testLedger();
    const page = await ledger.rootPage();
    await page.put("name", "Alice");
    const snapshot = await page.snapshot();
    await ledger.close();
    await ledger.close();
    for (const use of [
      () => ledger.rootPage(),
      () => ledger.createPage(),
      () => ledger.pages(),
      () => ledger.usage(),
      () => ledger.evict(new Uint8Array(16)),
      () => ledger.deletePage(new Uint8Array(16)),
      () => page.put("name", "Bob"),
      () => snapshot.get("name"),
    ])
      await rejection(use(), "CLOSED");
    expect(() => ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))).toThrow("is closed");
  });
});

describe("an end while things go on", () => {
  twoPagesTest("waits for earlier calls", async ([page, other]) => {
    const puts = Array.from({ length: 50 }, (_, at) => page.put(`key${at}`, "x".repeat(100)));
    await Promise.all([...puts, page.close()]);
    expect(Object.keys(await contents(other))).toHaveLength(50);
  });

  it("of the ledger: waits for looking at pages, and for removing some", async () => {
    const place = memoryPlace();
    const cloud = new MemoryCloud();
    const ledger = await testLedger({ cloud }, place);
    const page = await ledger.rootPage();
    await page.put("name", "Alice");
    await cloud.idle();
    await page.close();
    const calls = Promise.all([
      ledger.usage(),
      ledger.pages(),
      ledger.evict(PAGE),
      ledger.evict(ROOT_PAGE_ID),
    ]);
    await ledger.close();
    await using again = await testLedger({}, place);
    expect(await again.usage()).toEqual([]);
    expect(await calls).toMatchObject([[{ id: ROOT_PAGE_ID }], [ROOT_PAGE_ID], false, true]);
  });

  it("of the ledger: waits for pages that are being closed", async () => {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    const pages = await twoOf(ledger);
    const closing = Promise.all(pages.map((page) => page.close()));
    await ledger.close();
    // Empty pages are removed, and by now all calls have ended.
    expect(await place.pages("test")).toEqual([]);
    await closing;
  });

  it("of the ledger: earlier calls are completed or refused, never in part", async () => {
    const folder: string[] = [];
    const ledger = await testLedger();
    const page = await ledger.rootPage();
    const gate = new Gate();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(100);
      await gate.opened;
      yield new Uint8Array(100);
    }
    const put = page.put("slow", slow()).then(() => folder.push("put"));
    const closing = ledger.close().then(() => folder.push("closed"));
    expect(await isSettled(closing)).toBe(false);
    gate.open();
    await Promise.all([put, closing]);
    expect(folder).toEqual(["put", "closed"]);
  });
});
