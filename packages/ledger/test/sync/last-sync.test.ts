/** The last sync of a page: its time and its cloud, also for a ledger without a cloud. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rejection } from "../../../../test/engines/rocksdb/helpers.js";
import { folderCloud, httpStore, MemoryCloud, memoryPlace, serveFiles } from "../../src/index.js";
import { testLedger } from "../support.js";

let path = "";

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "merostore-last-sync-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(path, { recursive: true, force: true });
});

async function lastSync(place: ReturnType<typeof memoryPlace>) {
  await using ledger = await testLedger({}, place);
  await using page = await ledger.rootPage();
  return await page.lastSync();
}

it("is there after a complete sync, and without the cloud", async () => {
  const place = memoryPlace();
  const began = Date.now();
  {
    const cloud = folderCloud(path, { interval: 0 });
    await using ledger = await testLedger({ cloud }, place);
    await using page = await ledger.rootPage();
    await page.put("a", "1");
    await cloud.sync();
    expect(await page.lastSync()).toMatchObject({ cloud: path });
  }
  const found = await lastSync(place);
  expect(found).toMatchObject({ cloud: path });
  expect(found?.at.getTime()).toBeGreaterThanOrEqual(began);
  const ended = Date.now();
  expect(found?.at.getTime()).toBeLessThanOrEqual(ended);
});

it("is not there before the first one, nor after one that failed", async () => {
  const place = memoryPlace();
  expect(await lastSync(place)).toBeUndefined();
  rmSync(path, { recursive: true });
  {
    const cloud = folderCloud(path, { interval: 0 });
    await using ledger = await testLedger({ cloud }, place);
    await using page = await ledger.rootPage();
    await page.put("a", "1");
    await rejection(cloud.sync(), "NETWORK_ERROR");
    expect(await page.lastSync()).toBeUndefined();
  }
  expect(await lastSync(place)).toBeUndefined();
});

it("names the cloud of the last one: a server by its address, without the token", async () => {
  const token = "made-up-token-0123456789";
  const place = memoryPlace();
  {
    await using ledger = await testLedger({ cloud: new MemoryCloud() }, place);
    await (await ledger.rootPage()).put("a", "1");
  }
  expect(await lastSync(place)).toMatchObject({ cloud: "memory" });
  await using server = await serveFiles(path, { token });
  {
    const cloud = folderCloud(httpStore(server.url, { token }), { interval: 0 });
    await using ledger = await testLedger({ cloud }, place);
    await ledger.rootPage();
    await cloud.sync();
  }
  expect(await lastSync(place)).toMatchObject({ cloud: server.url.slice(0, -1) });
});

it("is not written again by each sync that finds nothing", async () => {
  const place = memoryPlace();
  const cloud = folderCloud(path, { interval: 0 });
  await using ledger = await testLedger({ cloud }, place);
  await using page = await ledger.rootPage();
  await page.put("a", "1");
  await cloud.sync();
  const first = (await page.lastSync())?.at.getTime() ?? 0;
  vi.useFakeTimers({ now: first + 1000, toFake: ["Date"] });
  await cloud.sync();
  expect((await page.lastSync())?.at.getTime()).toBe(first + 1000);
  await ledger.close();
  expect((await lastSync(place))?.at.getTime()).toBeLessThanOrEqual(first);
});
