/** Opening or closing a page fails, and leaves no row that keeps others from opening the page. */

import type { Engine } from "merostore/engine";
import { MerostoreError } from "merostore/internal";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/fixtures.js";
import { rejection } from "../../../test/support/rejection.js";
import { folderCloud, memoryPlace, type Place, ROOT_PAGE_ID } from "../src/index.js";
import { COLUMN } from "../src/rows/row.js";
import { cloudOf, contents, testLedger, ticking } from "./support.js";

const broken = new Error("the disk is full");
const root = { ledger: "test", page: ROOT_PAGE_ID };
const encoder = new TextEncoder();
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
let place: Place;

beforeEach(() => {
  place = memoryPlace();
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
});

/** Writes rows into the root page's database without the ledger. */
async function write(operations: Parameters<Engine["write"]>[0]): Promise<void> {
  const engine = await place.openPage(root.ledger, root.page, { create: true });
  await engine?.write(operations);
  await engine?.close();
}

/** A database of usage that the test controls. */
async function usageInHand(): Promise<Engine> {
  const engine = await place.openUsage();
  vi.spyOn(place, "openUsage").mockResolvedValueOnce(engine);
  return engine;
}

it("a page whose head cannot be read is closed again, and can be deleted", async () => {
  const key = new Uint8Array([...encoder.encode("heads/"), ...new Uint8Array(32).fill(1)]);
  await write([{ type: "put", column: COLUMN, key, value: new Uint8Array(8) }]);
  await using ledger = await testLedger({}, place);
  await rejection(ledger.rootPage(), "DATA_INTEGRITY_ERROR");
  const [use] = await ledger.usage();
  expect(use?.closedAt).toBeTypeOf("bigint");
  await ledger.deletePage(ROOT_PAGE_ID);
  await using page = await ledger.rootPage();
  expect(await contents(page)).toEqual({});
});

it("a page that cannot be marked as open is not opened, and nothing is left unhandled", async () => {
  const usage = await usageInHand();
  const openPage = vi.spyOn(place, "openPage");
  await using ledger = await testLedger({}, place);
  vi.spyOn(usage, "write").mockRejectedValueOnce(broken);
  await expect(ledger.rootPage()).rejects.toBe(broken);
  expect(openPage).not.toHaveBeenCalled();
  await using page = await ledger.rootPage();
  await page.put("name", "Alice");
  await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled).toEqual([]);
});

it("a database of usage that cannot be read is closed again", async () => {
  const usage = await usageInHand();
  vi.spyOn(usage, "scan").mockImplementationOnce(() => {
    throw broken;
  });
  await expect(testLedger({}, place)).rejects.toBe(broken);
  await (await place.openUsage()).close();
});

it("a ledger is closed although marking its pages as closed fails", async () => {
  const usage = await usageInHand();
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  vi.spyOn(usage, "write").mockRejectedValue(broken);
  await expect(ledger.close()).rejects.toBe(broken);
  await using again = await testLedger({}, place);
  await using same = await again.rootPage({ create: false });
  expect(await contents(same)).toEqual({ name: "Alice" });
});

it("a page is closed although the disk is full, and any other failure of closing is reported", async () => {
  const usage = await usageInHand();
  await using ledger = await testLedger({}, place);
  const write = vi.spyOn(usage, "write");
  const failure = (why: string) =>
    new MerostoreError("ENGINE_FAILED", `writing failed in usage: IO error: ${why}`);
  for (const why of ["No space left on device", "/usage/000003.log: File too large", "Disk quota exceeded"]) {
    const page = await ledger.rootPage();
    write.mockRejectedValueOnce(failure(why));
    await page.close();
  }
  const page = await ledger.rootPage();
  write.mockRejectedValueOnce(failure("Input/output error"));
  await rejection(page.close(), "ENGINE_FAILED");
});

it("a page is closed although its cloud fails to", async () => {
  const ledger = await testLedger({ cloud: cloudOf({ close: () => Promise.reject(broken) }) }, place);
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  await expect(ledger.close()).rejects.toBe(broken);
  await using again = await testLedger({}, place);
  await using same = await again.rootPage({ create: false });
  expect(await contents(same)).toEqual({ name: "Alice" });
});

it("a page whose cloud fails at once is closed again, with its connection", async () => {
  const close = vi.fn(async () => undefined);
  const onState = (): never => {
    throw broken;
  };
  await using ledger = await testLedger({ cloud: cloudOf({ onState, close }) }, place);
  await expect(ledger.rootPage()).rejects.toBe(broken);
  expect(close).toHaveBeenCalledOnce();
  await ledger.deletePage(ROOT_PAGE_ID);
});

it("syncing goes on after the note about a pack could not be written once", async () => {
  using folder = temporaryFolder();
  const device = async (at: number, where = memoryPlace()) => {
    const cloud = folderCloud(folder.path, { interval: 0 });
    const ledger = await testLedger({ cloud, clock: ticking(BigInt(1000 * at)) }, where);
    return { cloud, ledger, page: await ledger.rootPage() };
  };
  const one = await device(1);
  await one.page.put("name", "Alice");
  await one.cloud.sync();
  const openPage = place.openPage.bind(place);
  let fails = true;
  vi.spyOn(place, "openPage").mockImplementation(async (...given) => {
    const engine = (await openPage(...given)) as Engine;
    const write = engine.write.bind(engine);
    vi.spyOn(engine, "write").mockImplementation(async (operations, options) => {
      const isNote = operations.some(
        (one) =>
          "key" in one && /^sync_metadata\/[0-9a-f]{40}$/.test(Buffer.from(one.key).toString("latin1")),
      );
      if (!fails || !isNote) return write(operations, options);
      fails = false;
      throw broken;
    });
    return engine;
  });
  const two = await device(2, place);
  // The opening may have begun the first sync.
  const first = await two.cloud.sync().catch((error: unknown) => error);
  expect([broken, { waiting: 0 }]).toContainEqual(first);
  expect(fails).toBe(false);
  await two.page.put("city", "Paris");
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  await one.cloud.sync();
  expect(await contents(one.page)).toEqual({ name: "Alice", city: "Paris" });
  for (const { ledger } of [one, two]) await ledger.close();
});
