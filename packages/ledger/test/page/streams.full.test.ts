/** Values that come and go piece by piece, and the leftovers of abandoned ones. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type { ErrorCode } from "merostore";
import { describe, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { importEntries, memoryPlace, type Page } from "../../src/index.js";
import { noise } from "../inputs.js";
import { faultsOf, readStored, readTidied, rowsOf, type Stored } from "../stored.js";
import { begin, contents, Gate, headOf, pageTest, testLedger, twoPagesTest } from "../support.js";

cleanUpAfterEach();

const MEBIBYTE = 1 << 20;

async function* inPieces(value: Uint8Array, size: number, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < value.length; at += size) yield value.subarray(at, at + size);
  if (failure !== undefined) throw failure;
}

it.each([1, 4096, 65_535, 1_000_000])(
  "a stream in pieces of %d bytes makes the same commit",
  async (size) => {
    const value = noise(size === 1 ? 10_000 : 300_000, 1);
    const heads: Uint8Array[] = [];
    for (const source of [value, inPieces(value, size)]) {
      await using ledger = await testLedger();
      await using page = await ledger.rootPage();
      await page.put("value", source);
      heads.push(await headOf(page));
      await using snapshot = await page.snapshot();
      const chunks: Uint8Array[] = [];
      for await (const chunk of snapshot.stream("value")) chunks.push(chunk);
      expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(65_536);
      expect(Buffer.compare(Buffer.concat(chunks), value)).toBe(0);
    }
    expect(heads[0]).toEqual(heads[1]);
  },
);

pageTest("an empty stream is an empty value", async (page) => {
  await page.put("nothing", inPieces(new Uint8Array(0), 1));
  await page.put("nothing in pieces", inPieces(new Uint8Array(3), 3));
  await page.put(
    "nothing in pieces",
    (async function* () {
      yield new Uint8Array(0);
      yield new Uint8Array(0);
    })(),
  );
  expect(await contents(page)).toEqual({ nothing: "", "nothing in pieces": "" });
});

pageTest("a source may use its bytes again as soon as the next ones are asked for", async (page) => {
  const value = noise(200_000, 2);
  async function* reused(): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(1000);
    for (let at = 0; at < value.length; at += 1000) {
      buffer.set(value.subarray(at, at + 1000));
      yield buffer;
      buffer.fill(0);
    }
  }
  await page.put("value", reused());
  await using snapshot = await page.snapshot();
  expect(Buffer.compare((await snapshot.get("value")) as Uint8Array, value)).toBe(0);
});

twoPagesTest("other connections go on while a value comes", async ([page1, page2]) => {
  const gate = new Gate();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield noise(100_000, 3);
    await gate.opened;
    yield noise(100_000, 4);
  }
  const put = page1.put("slow", slow());
  await page2.put("name", "Alice");
  await page2.put("name", "Bob");
  expect(await contents(page2)).toEqual({ name: "Bob" });
  gate.open();
  await put;
  await page1.waitForConflictResolution();
  expect(Object.keys(await contents(page2))).toEqual(["name", "slow"]);
});

describe("a stream that is passed to a call that is rejected is destroyed", () => {
  const calls: [string, ErrorCode, (page: Page, stream: AsyncIterable<Uint8Array>) => Promise<unknown>][] = [
    ["a key that is too long", "INVALID_ARGUMENT", (page, stream) => page.put("k".repeat(257), stream)],
    [
      "a wrong option",
      "INVALID_ARGUMENT",
      (page, stream) => page.put("key", stream, { priority: "low" as never }),
    ],
    ["a wrong size", "INVALID_ARGUMENT", (page, stream) => page.createReference(stream, -1)],
    ["another size", "INVALID_ARGUMENT", (page, stream) => page.createReference(stream, 1)],
    [
      "a transaction that has ended",
      "ILLEGAL_STATE",
      async (page, stream) => {
        let ended: Pick<Page, "put"> | undefined;
        await page.transaction(async (transaction) => {
          ended = transaction;
        });
        await ended?.put("key", stream);
      },
    ],
    [
      "a page that is closed",
      "CLOSED",
      async (page, stream) => {
        await page.close();
        await page.put("key", stream);
      },
    ],
    [
      "an import with a wrong option",
      "INVALID_ARGUMENT",
      (page, stream) => importEntries(page, stream, { fetch: 1 } as never),
    ],
    [
      "an import into a page that is closed",
      "CLOSED",
      async (page, stream) => {
        await page.close();
        await importEntries(page, stream);
      },
    ],
  ];

  it.each(calls)("%s", async (what, code, call) => {
    await using ledger = await testLedger();
    const [page, other, third] = [await ledger.rootPage(), await ledger.rootPage(), await ledger.rootPage()];
    const readable = Readable.from([noise(10, 1), noise(10, 2)]);
    await rejection(call(page, readable), code);
    expect(readable.destroyed).toBe(true);

    let cancelled = 0;
    const web = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(noise(10, 1)),
      cancel: () => void cancelled++,
    });
    if (what !== "another size") {
      await rejection(call(other, web as unknown as AsyncIterable<Uint8Array>), code);
      expect(cancelled).toBe(1);
    }

    const generator = inPieces(noise(10, 1), 5);
    await rejection(call(third, generator), code);
    expect(await generator.next()).toEqual({ done: true, value: undefined });
  });
});

describe("an abandoned value leaves nothing behind", () => {
  const failure = new Error("the source has failed");
  const large = noise(300_000, 5);

  it.each<[string, (page: Page) => Promise<unknown>]>([
    [
      "a source that fails",
      (page) => expect(page.put("a", inPieces(large, 5000, failure))).rejects.toBe(failure),
    ],
    [
      "a source of something else",
      (page) =>
        rejection(
          page.put(
            "a",
            (async function* () {
              yield large;
              yield "text" as unknown as Uint8Array;
            })(),
          ),
          "INVALID_ARGUMENT",
        ),
    ],
    ["a value of the wrong size", (page) => rejection(page.createReference(large, 7), "INVALID_ARGUMENT")],
    ["a reference that was put nowhere", (page) => page.createReference(inPieces(large, 5000))],
    [
      "a rollback",
      async (page) => {
        const tx = await begin(page);
        await tx.put("a", large);
        await tx.put("b", inPieces(noise(300_000, 6), 5000));
        await tx.rollback();
      },
    ],
    [
      "a transaction that puts something else afterwards",
      async (page) => {
        await page.transaction(async (transaction) => {
          await transaction.put("a", large);
          await transaction.put("a", inPieces(noise(300_000, 6), 5000));
          await transaction.delete("a");
        });
      },
    ],
    [
      "an unfinished transaction",
      async (page) => {
        const tx = await begin(page);
        await tx.put("a", large);
      },
    ],
    [
      "a value that was replaced, and one that was deleted",
      async (page) => {
        await page.put("a", large);
        await page.put("b", noise(300_000, 6), { priority: "lazy" });
        await page.put("a", "small");
        await page.delete("b");
        await page.delete("a");
      },
    ],
  ])("%s", async (_what, use) => {
    const stored = await storedBy(use);
    expect(faultsOf(stored)).toEqual([]);
    expect(rowsOf(stored, "transient-piece")).toEqual([]);
    expect(stored.roots.size).toBe(1);
    const without = await storedBy(async () => undefined);
    expect([...stored.pieces.keys()]).toEqual([...without.pieces.keys()]);
  });

  async function storedBy(use: (page: Page) => Promise<unknown>): Promise<Stored> {
    const place = memoryPlace();
    const ledger = await testLedger({}, place);
    const page = await ledger.rootPage();
    await page.put("kept", noise(100_000, 7));
    await use(page);
    await ledger.close();
    return readTidied(place);
  }
});

it("pieces that a snapshot kept are removed when it is closed, without another commit", async () => {
  const place = memoryPlace();
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  await page.put("a", noise(300_000, 5));
  const snapshot = await page.snapshot();
  await page.put("a", "small");
  await snapshot.close();
  await ledger.close();
  const stored = await readTidied(place);
  expect(faultsOf(stored)).toEqual([]);
  expect([stored.roots.size, stored.pieces.size]).toEqual([1, 1]);
});

it("the same value under several keys is stored once, and goes with the last of them", async () => {
  const place = memoryPlace();
  const large = noise(300_000, 5);
  for (const [keep, least] of [
    [["a", "b"], 10],
    [["b"], 10],
    [[], 0],
  ] as const) {
    const ledger = await testLedger({}, place);
    const page = await ledger.rootPage();
    await page.put("other", "x".repeat(100));
    for (const key of ["a", "b"])
      if ((keep as readonly string[]).includes(key)) await page.put(key, large);
      else await page.delete(key);
    await ledger.close();
    const stored = await readStored(place);
    expect(faultsOf(stored)).toEqual([]);
    expect(stored.pieces.size).toBeGreaterThan(least);
    expect(stored.pieces.size).toBeLessThan(least + 40);
  }
});

it("128 MiB go in and come out at constant memory", async () => {
  const script = join(import.meta.dirname, "large-value.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    script,
    join(temporaryFolder(), "repository"),
    "128",
  ]);
  const { written, read, size, lastByte, grown } = JSON.parse(stdout);
  expect(size).toBe(128 * MEBIBYTE);
  expect(read).toBe(written);
  expect(lastByte).toBe(1);
  expect(grown).toBeLessThan(32 * MEBIBYTE);
});
