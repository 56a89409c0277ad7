/** Snapshots: their entries, order and parts, and their lifetime. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type EntryBounds, memoryPlace, type PagePart, type PageSnapshot } from "../../src/index.js";
import { Counts, countedPlace } from "../storage/counted.js";
import { readTidied } from "../stored.js";
import { asTexts, contents, keysOf, pageTest, shown, testLedger, text, twoPagesTest } from "../support.js";

/** All parts, one after another. */
async function parts<T>(next: (options: EntryBounds) => Promise<PagePart<T>>): Promise<(readonly T[])[]> {
  const found: (readonly T[])[] = [];
  for (let from: Uint8Array | undefined = new Uint8Array(0); from !== undefined; ) {
    const part: PagePart<T> = await next({ gte: from });
    found.push(part.items);
    from = part.next;
  }
  return found;
}

const range = (count: number, name: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => name(at));

describe("getPartial", () => {
  const table: [number, number, string][] = [
    [0, -1, "Alice"],
    [4, -1, "e"],
    [5, -1, ""],
    [6, -1, ""],
    [2, 1, "i"],
    [2, 0, ""],
    [-5, -1, "Alice"],
    [-1, -1, "e"],
    [-5, 0, ""],
    [-3, 1, "i"],
    // Not in the documents' table.
    [-6, -1, ""],
    [-6, 3, ""],
    [0, 99, "Alice"],
    [3, 99, "ce"],
    [-2, 99, "ce"],
    [1, -7, "lice"],
  ];

  pageTest.each(table)("(%d, %d) of Alice is %j", async (page, [offset, size, expected]) => {
    await page.put("name", "Alice");
    await using snapshot = await page.snapshot();
    expect(text((await snapshot.getPartial("name", offset, size)) as Uint8Array)).toBe(expected);
    expect(await snapshot.getPartial("city", offset, size)).toBeUndefined();
  });

  pageTest("of a value of many pieces equals a slice of it", async (page) => {
    const size = 300_000;
    const value = Uint8Array.from({ length: size }, (_, at) => (at * at) >> 7);
    await page.put("large", value);
    await using snapshot = await page.snapshot();
    const offsets = [0, 1, 4096, 65_535, 65_536, 150_000, size - 1, size, size + 1, -1, -65_536, -size];
    for (const offset of offsets)
      for (const length of [-1, 0, 1, 70_000, size, 2 * size]) {
        const from = offset < 0 ? size + offset : offset;
        const expected = value.slice(from, length < 0 ? size : from + length);
        const found = (await snapshot.getPartial("large", offset, length)) as Uint8Array;
        expect(Buffer.compare(found, expected), `${offset}, ${length}`).toBe(0);
      }
    expect(await snapshot.getPartial("large", -size - 1, 10)).toEqual(new Uint8Array(0));
  });

  pageTest.each<[number, number]>([
    [0.5, 1],
    [0, Number.NaN],
    [Number.POSITIVE_INFINITY, 1],
    [2 ** 53, 1],
  ])("refuses (%d, %d)", async (page, [offset, size]) => {
    await using snapshot = await page.snapshot();
    await rejection(snapshot.getPartial("name", offset, size), "INVALID_ARGUMENT");
  });
});

pageTest("get, has and stream of a key that is there, and of one that is not", async (page) => {
  await page.put("name", "Alice");
  await page.put("empty", "");
  await using snapshot = await page.snapshot();
  expect(text((await snapshot.get("name")) as Uint8Array)).toBe("Alice");
  expect(await snapshot.get("empty")).toEqual(new Uint8Array(0));
  expect(await snapshot.get("nam")).toBeUndefined();
  expect(await snapshot.get("names")).toBeUndefined();
  expect([await snapshot.has("empty"), await snapshot.has("nam")]).toEqual([true, false]);
  expect(await keysOf(snapshot.stream("name"))).toEqual(["Alice"]);
  expect(await keysOf(snapshot.stream("empty"))).toEqual([]);
  expect(await keysOf(snapshot.stream("nam"))).toEqual([]);
});

describe("prefixes and first keys", () => {
  const keys = ["000-a", "001-b", "010-c", "011-d"];
  const table: [string, string | undefined, number[]][] = [
    ["", undefined, [0, 1, 2, 3]],
    ["0", undefined, [0, 1, 2, 3]],
    ["00", undefined, [0, 1]],
    ["010", undefined, [2]],
    ["010-c", undefined, [2]],
    ["010-cc", undefined, []],
    ["5", undefined, []],
    ["0", "010", [2, 3]],
    ["0", "010-c", [2, 3]],
    ["0", "010-d", [3]],
    ["00", "010", []],
    ["01", "00", [2, 3]],
    ["", "2", []],
  ];

  pageTest.each(table)("prefix %j from %j: %j", async (page, [prefix, from, expected]) => {
    for (const key of keys.toReversed()) await page.put(key, `value of ${key}`);
    await using snapshot = await page.snapshot({ prefix });
    const options = from === undefined ? {} : { gte: from };
    const found = expected.map((at) => keys[at] as string);
    expect(await keysOf(snapshot.keys(options))).toEqual(found);
    expect((await snapshot.keysPart(options)).items.map(text)).toEqual(found);
    expect(asTexts((await snapshot.entriesPart(options)).items)).toEqual(
      found.map((key) => [key, `value of ${key}`]),
    );
    for (const key of keys) {
      const inside = key.startsWith(prefix);
      expect(await snapshot.has(key)).toBe(inside);
      expect((await snapshot.get(key)) !== undefined).toBe(inside);
    }
  });

  pageTest("of 0xff bytes, which no other key follows", async (page) => {
    for (const key of [[0xfe], [0xff], [0xff, 0xff], [0xff, 0xff, 1]])
      await page.put(Uint8Array.from(key), "x");
    await using snapshot = await page.snapshot({ prefix: Uint8Array.of(0xff, 0xff) });
    const found: number[][] = [];
    for await (const key of snapshot.keys()) found.push([...key]);
    expect(found).toEqual([
      [0xff, 0xff],
      [0xff, 0xff, 1],
    ]);
  });
});

describe("parts", () => {
  async function filled(count: number, value: (at: number) => string, key: (at: number) => string) {
    const ledger = await testLedger();
    const page = await ledger.rootPage();
    await page.transaction(async (transaction) => {
      for (let at = count - 1; at >= 0; at--) await transaction.put(key(at), value(at));
    });
    return { ledger, snapshot: await page.snapshot() };
  }

  it("keys: as many as fit into a message, then the next ones", async () => {
    // One more key of 256 bytes than fits.
    const count = Math.floor((65_536 * 9) / 10 / 256) + 1;
    const key = (at: number) => String(at).padStart(4, "0").padEnd(256, "-");
    const { ledger, snapshot } = await filled(count, () => "x", key);
    await using _ = ledger;
    const found = await parts((options) => snapshot.keysPart(options));
    expect(found.map(({ length }) => length)).toEqual([count - 1, 1]);
    expect(found.flat().map(text)).toEqual(range(count, key));
  });

  it("100 entries: 64, then 36", async () => {
    const key = (at: number) => `key${String(at).padStart(3, "0")}`;
    const { ledger, snapshot } = await filled(100, (at) => `value${at}`, key);
    await using _ = ledger;
    const found = await parts((options) => snapshot.entriesPart(options));
    expect(found.map(({ length }) => length)).toEqual([64, 36]);
    expect(asTexts(found.flat())).toEqual(range(100, key).map((name, at) => [name, `value${at}`]));
  });

  it("as many entries as are asked for, and the key of the next one", async () => {
    const { ledger, snapshot } = await filled(
      5,
      (at) => `value${at}`,
      (at) => `key${at}`,
    );
    await using _ = ledger;
    const { items, next } = await snapshot.entriesPart({ gte: "key1", limit: 2 });
    expect(items.map(({ key }) => text(key))).toEqual(["key1", "key2"]);
    expect(text(next as Uint8Array)).toBe("key3");
    expect((await snapshot.entriesPart({ gte: "key3", limit: 2 })).next).toBeUndefined();
    const keys = await parts((options) => snapshot.keysPart({ ...options, limit: 2 }));
    expect(keys.map((part) => part.map(text))).toEqual([["key0", "key1"], ["key2", "key3"], ["key4"]]);
  });

  it("an entry that is larger than a message comes alone, whole", async () => {
    const value = (at: number) => (at === 1 ? "x".repeat(200_000) : "small");
    const { ledger, snapshot } = await filled(3, value, (at) => `key${at}`);
    await using _ = ledger;
    const found = await parts((options) => snapshot.entriesPart(options));
    expect(found.map(asTexts)).toEqual(range(3, (at) => `key${at}`).map((key, at) => [[key, value(at)]]));
  });
});

describe("a snapshot does not change", () => {
  const value = (name: string) => name.repeat(5000);

  async function check(snapshot: PageSnapshot): Promise<void> {
    expect(await contents(snapshot)).toEqual({ large: value("large"), name: "Alice" });
    expect(await snapshot.get("new")).toBeUndefined();
  }

  twoPagesTest("whatever is committed after it, by anybody", async ([page1, page2]) => {
    await page1.put("name", "Alice");
    await page1.put("large", value("large"));
    await using snapshot = await page1.snapshot();
    await page2.put("name", "Bob");
    await page2.put("large", "small");
    await page1.put("new", value("new"));
    await page1.clear();
    for (let at = 0; at < 20; at++) await page2.put("count", `${at}`);
    await check(snapshot);
    expect(await contents(page1)).toEqual({ count: "19" });
  });

  pageTest("also when its connection is closed, and all others", async (page, ledger) => {
    await page.put("name", "Alice");
    await page.put("large", value("large"));
    await using snapshot = await page.snapshot();
    await page.close();
    await check(snapshot);
    await using again = await ledger.rootPage();
    await again.clear();
    await check(snapshot);
  });

  twoPagesTest("and is the same as another of the same state", async ([page1, page2]) => {
    await page1.put("name", "Alice");
    await using one = await page1.snapshot();
    await using two = await page2.snapshot();
    expect(one.commitId).toEqual(two.commitId);
    expect(one.commitId).toHaveLength(32);
  });

  pageTest("also in the midst of a scan", async (page) => {
    const keys = range(400, (at) => `key${String(at).padStart(3, "0")}`);
    await page.transaction(async (transaction) => {
      for (const key of keys) await transaction.put(key, value(key));
    });
    await using snapshot = await page.snapshot();
    const found: [string, string | null][] = [];
    for await (const entry of snapshot.entries()) {
      found.push(...asTexts([entry]));
      if (found.length === 10) await page.clear();
      if (found.length === 20) await page.put("key399", "other");
    }
    expect(found).toEqual(keys.map((key) => [key, value(key)]));
  });
});

pageTest("chunks give the same entries as the scan, many at a time", async (page) => {
  await page.transaction(async (transaction) => {
    for (let at = 0; at < 1000; at++) await transaction.put(`key${at}`, `value${at}`);
    await transaction.put("key5-large", "x".repeat(200_000));
  });
  await using snapshot = await page.snapshot();
  const found: [string, string | null][] = [];
  let chunks = 0;
  for await (const chunk of snapshot.entries().chunks()) {
    found.push(...asTexts(chunk));
    chunks++;
  }
  expect(found).toEqual(await shown(snapshot));
  expect(chunks).toBeLessThan(50);
});

it("one that was refused keeps no commit from being removed", async () => {
  const place = memoryPlace();
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  await page.put("a", "1");
  await rejection(page.snapshot({ prefix: 5 as unknown as string }), "INVALID_ARGUMENT");
  await page.put("b", "2");
  await page.put("c", "3");
  await ledger.close();
  expect((await readTidied(place)).roots.size).toBe(1);
});

pageTest.each([0, -1, Number.NaN])(
  "a part with a limit of %d, which would never come to an end, is refused",
  async (page, limit) => {
    await page.put("a", "1");
    await using snapshot = await page.snapshot();
    await rejection(snapshot.entriesPart({ limit }), "INVALID_ARGUMENT");
    await rejection(snapshot.keysPart({ limit }), "INVALID_ARGUMENT");
  },
);

it("entries are read ahead from the second chunk on, and no error of it appears unasked or after closing", async () => {
  const counts = new Counts();
  await using ledger = await testLedger({}, countedPlace(memoryPlace(), counts));
  await using page = await ledger.rootPage();
  await page.transaction(async (tx) => {
    for (let at = 0; at < 1500; at++) await tx.put(`key${at}`, `${at} `.repeat(20));
  });
  const snapshot = await page.snapshot();
  const chunks = snapshot.entries().chunks()[Symbol.asyncIterator]();
  counts.reads = 0;
  let entries = 0;
  const reads: number[] = [];
  for (let at = 0; at < 3; at++) {
    entries += (await chunks.next()).value?.length ?? 0;
    reads.push(counts.reads);
  }
  expect(reads).toEqual([1, 3, 4]);
  expect(entries).toBeLessThan(1500);
  await snapshot.close();
  await rejection(chunks.next(), "CLOSED");
});
