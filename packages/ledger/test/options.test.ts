/** Every function that takes options rejects wrong ones before it touches anything. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openMemoryEngine } from "merostore/engine";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/engines/temporary.js";
import { rejection } from "../../../test/support/rejection.js";
import {
  type Conflict,
  type ConflictResolver,
  folderCloud,
  type LedgerOptions,
  memoryPlace,
  openLedger,
  openRepository,
  type Page,
  type PageSnapshot,
  verifyPage,
} from "../src/index.js";
import { diverge } from "./merging/support.js";
import { contents, pageTest, testLedger } from "./support.js";

const lone = "half \ud83d";

describe("openLedger", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ name: "" }, "non-empty"],
    [{ name: undefined }, "non-empty"],
    [{ name: lone }, "text"],
    [{ name: "x".repeat(190) }, "189"],
    [{ name: 5 }, "a string or bytes, not 5"],
    [{ name: null }, "a string or bytes, not null"],
    [{ format: { rollingHash: "V4" } }, '"V1", "V2", "V3"'],
    [{ format: { rollinghash: "V3" } }, "rollingHash"],
    [{ format: "V3" }, "the format of a ledger as a plain object"],
    [{ rollingHash: "V3" }, "format"],
    [{ garbageCollection: "always" }, "eager-live-references"],
    [{ garbageCollection: true }, "eager-live-references"],
    [{ format: { permutation: 7 } }, "a function"],
    [{ format: { keyIndex: -1 } }, "a whole number from 0 to 4294967295"],
    [{ format: { keyIndex: 2 ** 32 } }, "a whole number"],
    [{ format: { keyIndex: 0.5 } }, "a whole number"],
    [{ format: { keyIndex: "1" } }, "a whole number"],
    [{ engine: "sqlite" }, '"leveldb", "rocksdb"'],
    [{ engine: "constructor" }, '"leveldb", "rocksdb"'],
    [{ cloud: {} }, "the methods connect"],
    [{ cloud: null }, "the methods connect"],
    [{ clock: 7 }, "a function"],
    [{ readonly: true }, "readonly"],
    [{ create: false }, "create"],
  ])("%j is refused before there is a folder", async (options, said) => {
    const folder = join(temporaryFolder(), "repository");
    const given = { name: "test", ...options } as unknown as LedgerOptions;
    const { message } = await rejection(openLedger(folder, given), "INVALID_ARGUMENT");
    expect(message).toContain(said);
    expect(existsSync(folder)).toBe(false);
  });

  it.each<[unknown]>([
    [null],
    [undefined],
    ["test"],
    [7],
    [[]],
    [new Map([["name", "test"]])],
    [() => "test"],
  ])("no options are %j", async (options) => {
    const folder = join(temporaryFolder(), "repository");
    await rejection(openLedger(folder, options as LedgerOptions), "INVALID_ARGUMENT");
    expect(existsSync(folder)).toBe(false);
  });

  it.each<[unknown]>([[null], [undefined], [""], [7], [{}], ["https://example.org/ledger"]])(
    "no place is %j",
    async (place) => {
      await rejection(openLedger(place as string, { name: "test" }), "INVALID_ARGUMENT");
    },
  );

  it("a file is refused as a place", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { message } = await rejection(openLedger(file, { name: "test" }), "NOT_A_DATABASE");
    expect(message).toBe(`${file} is a file, not the folder of a repository`);
  });

  it("a place and the folder of a cloud are named by URL too", async () => {
    const folder = temporaryFolder();
    const place = pathToFileURL(join(folder, "with space"));
    const cloud = folderCloud(pathToFileURL(folder).href);
    {
      await using ledger = await openLedger(place, { name: "test", cloud });
      await using page = await ledger.rootPage();
      await page.put("a", "1");
      await cloud.sync();
    }
    expect(existsSync(join(folder, "merostore-ledger.json"))).toBe(true);
    await using again = await openRepository(join(folder, "with space"));
    expect(await again.ledgers()).toEqual(["test"]);
    expect(() => folderCloud(new URL("https://example.org/shared"))).toThrow("a path or a file: URL");
  });

  it("an option that is undefined counts as absent", async () => {
    const options = {
      name: "test",
      engine: undefined,
      cloud: undefined,
      clock: undefined,
      format: undefined,
    };
    await using ledger = await openLedger(memoryPlace(), options);
    expect(ledger.name).toBe("test");
  });

  it("takes the options as they are when it is called", async () => {
    const place = memoryPlace();
    const options = { name: "one", format: { keyIndex: 1 } };
    const opening = openLedger(place, options);
    options.name = "two";
    options.format.keyIndex = -1;
    await using one = await opening;
    await using page = await one.rootPage();
    await page.put("a", "1");
    options.format.keyIndex = 1;
    await using two = await openLedger(place, options);
    expect([one.name, two.name]).toEqual(["one", "two"]);
  });

  it("a repository that is open with one engine is not opened with the other", async () => {
    const folder = join(temporaryFolder(), "repository");
    await using ledger = await openLedger(folder, { name: "one", engine: "rocksdb" });
    await rejection(openLedger(folder, { name: "two" }), "NOT_A_DATABASE");
    await using other = await openLedger(folder, { name: "two", engine: "rocksdb" });
    expect([ledger.name, other.name]).toEqual(["one", "two"]);
  });
});

/** Options that are wrong for every function. */
const NO_OPTIONS: readonly unknown[] = [
  null,
  7,
  "prefix",
  [],
  () => undefined,
  { nothing: 1 },
  { Prefix: "a" },
];

interface Call {
  /** Calls the function with these options, which may be wrong. */
  run(parts: { page: Page; snapshot: PageSnapshot }, options: never): unknown;
  /** Options of the function that have a wrong value. */
  readonly wrong: readonly object[];
}

const wrongPut = [{ priority: "soon" }, { priority: null }, { priority: true }];
const wrongPrefix = [{ prefix: null }, { prefix: 7 }, { prefix: [1] }, { prefix: lone }];
const wrongFrom = [{ from: null }, { from: 7 }, { from: lone }];
const wrongReverse = [{ reverse: "yes" }, { reverse: 1 }, { reverse: null }];
const wrongLimit = [{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { limit: "1" }, { limit: null }];
const wrongFetch = [{ fetch: "yes" }, { fetch: 1 }, { fetch: null }];

const calls: Readonly<Record<string, Call>> = {
  put: { run: ({ page }, options) => page.put("new", "1", options), wrong: wrongPut },
  putReference: {
    run: async ({ page }, options) => page.putReference("new", await page.createReference("x"), options),
    wrong: wrongPut,
  },
  "put of a transaction": {
    run: ({ page }, options) => page.transaction((tx) => tx.put("new", "1", options)),
    wrong: wrongPut,
  },
  snapshot: { run: ({ page }, options) => page.snapshot(options), wrong: wrongPrefix },
  watch: { run: ({ page }, options) => page.watch(options, () => undefined), wrong: wrongPrefix },
  get: { run: ({ snapshot }, options) => snapshot.get("name", options), wrong: wrongFetch },
  getPartial: {
    run: ({ snapshot }, options) => snapshot.getPartial("name", 0, 1, options),
    wrong: wrongFetch,
  },
  stream: { run: ({ snapshot }, options) => snapshot.stream("name", options).next(), wrong: wrongFetch },
  entries: {
    run: ({ snapshot }, options) => snapshot.entries(options),
    wrong: [...wrongFrom, ...wrongReverse],
  },
  keys: { run: ({ snapshot }, options) => snapshot.keys(options), wrong: [...wrongFrom, ...wrongReverse] },
  count: {
    run: ({ snapshot }, options) => snapshot.count(options),
    wrong: [...wrongFrom, ...wrongLimit, { reverse: true }, { signal: 7 }],
  },
  "count of a page": {
    run: ({ page }, options) => page.count(options),
    wrong: [...wrongFrom, ...wrongPrefix, ...wrongLimit, { reverse: true }],
  },
  entriesPart: {
    run: ({ snapshot }, options) => snapshot.entriesPart(options),
    wrong: [...wrongFrom, ...wrongLimit],
  },
  keysPart: {
    run: ({ snapshot }, options) => snapshot.keysPart(options),
    wrong: [...wrongFrom, ...wrongLimit],
  },
  verifyPage: {
    run: (_, options) => verifyPage(openMemoryEngine({ columns: [] }), options),
    wrong: [{ onProgress: 1 }, { onProgress: null }],
  },
};

describe.each(Object.entries(calls))("%s", (_, { run, wrong }) => {
  pageTest("rejects wrong options, and changes nothing", async (page) => {
    await page.put("name", "Alice");
    await using snapshot = await page.snapshot();
    for (const options of [...NO_OPTIONS, ...wrong])
      await rejection((async () => run({ page, snapshot }, options as never))(), "INVALID_ARGUMENT");
    expect(await contents(page)).toEqual({ name: "Alice" });
  });

  pageTest("works without options", async (page) => {
    await page.put("name", "Alice");
    await using snapshot = await page.snapshot();
    await run({ page, snapshot }, undefined as never);
  });
});

describe("page and rootPage", () => {
  it.each(NO_OPTIONS.concat({ create: "no" }, { create: null }, { craete: false }))(
    "refuse %j, and make no page",
    async (options) => {
      const place = memoryPlace();
      await using ledger = await testLedger({}, place);
      await rejection(ledger.rootPage(options as never), "INVALID_ARGUMENT");
      await rejection(ledger.page("00".repeat(16), options as never), "INVALID_ARGUMENT");
      expect(await place.pages("test")).toEqual([]);
    },
  );
});

describe("functions and values", () => {
  it.each([undefined, null, 7, "f", {}])("%j is not a callback", async (callback) => {
    await using ledger = await testLedger();
    await using page = await ledger.rootPage();
    const given = callback as never;
    await rejection(page.transaction(given), "INVALID_ARGUMENT");
    await rejection(page.watch({}, given), "INVALID_ARGUMENT");
    await rejection((async () => page.watchSyncState(given))(), "INVALID_ARGUMENT");
    await rejection((async () => ledger.setConflictResolver(given))(), "INVALID_ARGUMENT");
    // Nothing has begun, and nothing waits.
    await page.transaction((tx) => tx.put("a", "1"));
    expect(await contents(page)).toEqual({ a: "1" });
  });

  pageTest.each<unknown>([-1, 1.5, "1", null, Number.NaN])(
    "%j is not a size of a value",
    async (page, size) => {
      await rejection(page.createReference("x", size as number), "INVALID_ARGUMENT");
    },
  );

  it("a file that is not a database is not verified", async () => {
    for (const database of [null, undefined, 7, {}, "data"])
      await rejection((async () => verifyPage(database as never))(), "INVALID_ARGUMENT");
  });

  it.each<[unknown]>([
    [null],
    [7],
    [[{ key: "a", use: "newer" }]],
    [[{ key: "a" }]],
    [[null]],
    [[{ key: "a", use: "new" }]],
    [[{ key: "a", use: "new", value: lone }]],
    [[{ key: "a", use: "new", value: "1", priority: "soon" }]],
    [[{ key: 7, use: "older" }]],
    [
      [
        { key: "b", use: "delete" },
        { key: "a", use: "oldder" },
      ],
    ],
  ])("a conflict takes no %j, and nothing of it holds", async (entries) => {
    await using ledger = await testLedger();
    const refused: unknown[] = [];
    const resolve = async (conflict: Conflict): Promise<void> => {
      refused.push(await conflict.merge(entries as never).catch((error: unknown) => error));
    };
    const resolver: ConflictResolver = () => ({ policy: "custom", resolve });
    ledger.setConflictResolver(resolver);
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    expect(refused).toMatchObject([{ code: "INVALID_ARGUMENT" }]);
    expect(await contents(page)).toEqual({ b: "2" });
  });
});
