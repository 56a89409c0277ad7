/** Pages as files: exported, and imported into others. */
import { Readable } from "node:stream";
import type { Progress, ProgressOptions } from "merostore";
import { expect, it } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import { turnsDuring } from "../../../../test/support/turns.js";
import { exportEntries, importEntries, MemoryCloud, type Page } from "../../src/index.js";
import { pageTest, testLedger } from "../support.js";

async function exported(page: Page, prefix = ""): Promise<Uint8Array> {
  await using snapshot = await page.snapshot({ prefix });
  const chunks = await listOf(exportEntries(snapshot));
  return Buffer.concat(chunks);
}

/** Bytes in pieces of any sizes. */
async function* inPieces(bytes: Uint8Array, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = random.below(90_000);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const entriesOf = (page: Page) => listOf(page.entries());

async function fill(page: Page): Promise<void> {
  await page.transaction(async (tx) => {
    await tx.put("empty", "");
    await tx.put("short", "x");
    await tx.put("most", new Uint8Array(65_536).fill(1));
    await tx.put("large", Buffer.from("large ".repeat(60_000)), { priority: "lazy" });
    await tx.put(new Uint8Array(256).fill(255), "last");
    await tx.put("", "the empty key");
  });
}

pageTest(
  "the entries of an exported page, their priorities and values of any size come back",
  async (page) => {
    await fill(page);
    const bytes = await exported(page);
    await using other = await testLedger();
    await using copy = await other.rootPage();
    await copy.put("own", "stays");
    await copy.put("short", "is replaced");
    expect(await importEntries(copy, inPieces(bytes, new Random(5)))).toBe(6);
    expect(await copy.get("own")).toEqual(new TextEncoder().encode("stays"));
    await copy.delete("own");
    expect(await entriesOf(copy)).toEqual(await entriesOf(page));
    expect(await exported(copy)).toEqual(bytes);
    expect((await copy.heads()).map(({ generation }) => generation)).toEqual([4n]);
  },
);

pageTest("a source may fill one buffer again and again", async (page) => {
  await fill(page);
  const bytes = await exported(page);
  const source = async function* (buffer: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += buffer.length) {
      const piece = bytes.subarray(at, at + buffer.length);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
      buffer.fill(0xee);
    }
  };
  for (const buffer of [Buffer.alloc(1000), new Uint8Array(1000)]) {
    await using other = await testLedger();
    await using copy = await other.rootPage();
    expect(await importEntries(copy, source(buffer))).toBe(6);
    expect(await entriesOf(copy)).toEqual(await entriesOf(page));
  }
});

pageTest("an export of a prefix has no others, and that of nothing is a file", async (page) => {
  await fill(page);
  for (const [prefix, count] of [
    ["s", 1],
    ["nothing", 0],
  ] as const) {
    await using other = await testLedger();
    await using copy = await other.rootPage();
    expect(await importEntries(copy, inPieces(await exported(page, prefix), new Random(1)))).toBe(count);
    expect(await entriesOf(copy)).toHaveLength(count);
  }
});

pageTest("damaged, cut and lengthened files are refused, and change nothing", async (page) => {
  await page.put("a", "1");
  await page.put("b", Buffer.alloc(70_000, 7));
  const whole = await exported(page);
  const random = new Random(20_261_127);
  const wrong = [
    whole.subarray(0, 0),
    whole.subarray(0, whole.length - 1),
    Buffer.concat([whole, Uint8Array.of(0)]),
    ...Array.from({ length: 40 }, () => whole.subarray(0, random.below(whole.length))),
    ...Array.from({ length: 40 }, (_, at) => {
      const spoilt = Uint8Array.from(whole);
      const place = at < 20 ? at : random.below(whole.length);
      spoilt[place] = (spoilt[place] as number) ^ (1 << random.below(8));
      return spoilt;
    }),
  ];
  await using other = await testLedger();
  await using copy = await other.rootPage();
  await copy.put("own", "stays");
  for (const bytes of wrong) {
    await rejection(importEntries(copy, inPieces(bytes, random)), "DATA_INTEGRITY_ERROR");
    expect(await entriesOf(copy)).toHaveLength(1);
  }
  const texts = (async function* () {
    yield "text";
  })();
  await using snapshot = await page.snapshot({ prefix: "nothing" });
  expect(() => exportEntries(snapshot, { fetch: "yes" } as never)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT" }),
  );
  for (const source of [texts, "text", undefined, { [Symbol.asyncIterator]: 1 }])
    await rejection(importEntries(copy, source as never), "INVALID_ARGUMENT");
});

pageTest("an export and an import tell how far they are, and end when their signal aborts", async (page) => {
  for (const key of ["a", "b", "c"]) await page.put(key, key.repeat(100_000));
  const bytes = await exported(page);
  await using snapshot = await page.snapshot();
  const other = await testLedger();
  await using copy = await other.rootPage();
  const works = [
    (options: ProgressOptions) => Readable.from(exportEntries(snapshot, options)).toArray(),
    (options: ProgressOptions) => importEntries(copy, inPieces(bytes, new Random(3)), options),
  ];
  for (const work of works) {
    const reason = new Error("enough");
    await expect(work({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    for (const last of [1, 3]) {
      const stop = new AbortController();
      const onProgress = ({ done }: Progress) => done === last && stop.abort(reason);
      await expect(work({ onProgress, signal: stop.signal })).rejects.toBe(reason);
    }
    expect(await entriesOf(copy)).toHaveLength(0);
    const seen: Progress[] = [];
    await work({ onProgress: (progress) => seen.push(progress) });
    expect(seen.map(({ done }) => done)).toEqual([1, 2, 3, 3]);
    expect(seen.at(-1)).toEqual({ done: 3, total: 3, unit: "rows" });
  }
  expect(await entriesOf(copy)).toHaveLength(3);
  await rejection(
    importEntries(copy, inPieces(bytes, new Random(3)), { fetch: true } as never),
    "INVALID_ARGUMENT",
  );
  await other.close();
});

pageTest("small entries come in few pieces, and leave the event loop its turns", async (page) => {
  await page.transaction(async (tx) => {
    for (let at = 0; at < 400; at++) await tx.put(`key ${at}`, Buffer.alloc(400, at));
  });
  await using snapshot = await page.snapshot();
  const pieces: Uint8Array[] = [];
  const exporting = async (): Promise<void> => {
    for await (const piece of exportEntries(snapshot)) pieces.push(piece);
  };
  expect(await turnsDuring(exporting)).toBeGreaterThan(300);
  expect(pieces.map(({ length }) => length >> 16)).toEqual([1, 1, 0, 0]);
  await using other = await testLedger();
  await using copy = await other.rootPage();
  const importing = () => importEntries(copy, inPieces(Buffer.concat(pieces), new Random(1)));
  expect(await turnsDuring(importing)).toBeGreaterThan(300);
});

pageTest("a large value leaves the event loop its turns", async (page) => {
  await page.put("large", Buffer.alloc(60 * 65_536, "large value "));
  await using snapshot = await page.snapshot();
  const pieces: Uint8Array[] = [];
  const exporting = async (): Promise<void> => {
    for await (const piece of exportEntries(snapshot)) pieces.push(piece);
  };
  expect(await turnsDuring(exporting)).toBeGreaterThan(50);
  await using other = await testLedger();
  await using copy = await other.rootPage();
  expect(await turnsDuring(() => importEntries(copy, Readable.from(pieces)))).toBeGreaterThan(50);
});

it("a lazy value that is not here is named, or fetched", async () => {
  const cloud = new MemoryCloud();
  await using ledger = await testLedger({ cloud });
  await using page = await ledger.rootPage();
  await page.put("photo", Buffer.alloc(1000, 1), { priority: "lazy" });
  await cloud.idle();
  await using desk = await testLedger({ cloud });
  await using other = await desk.rootPage();
  await cloud.idle();
  await rejection(exported(other), "NEEDS_FETCH");
  await using snapshot = await other.snapshot();
  const chunks = await listOf(exportEntries(snapshot, { fetch: true }));
  expect(Buffer.concat(chunks)).toEqual(await exported(page));
});
