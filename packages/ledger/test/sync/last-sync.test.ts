/** The last sync of a page: its time and its cloud, also for a ledger without a cloud. */
import { rmSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { folderCloud, httpStore, MemoryCloud, memoryPlace, serveFiles } from "../../src/index.js";
import { testLedger } from "../support.js";

cleanUpAfterEach();
afterEach(() => {
  vi.useRealTimers();
});

async function lastSync(place: ReturnType<typeof memoryPlace>) {
  await using ledger = await testLedger({}, place);
  await using page = await ledger.rootPage();
  return await page.lastSync();
}

it("is there after a complete sync, and without the cloud", async () => {
  const [path, place] = [temporaryFolder(), memoryPlace()];
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
  const [path, place] = [temporaryFolder(), memoryPlace()];
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
  await using server = await serveFiles(temporaryFolder(), { token });
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
  const cloud = folderCloud(temporaryFolder(), { interval: 0 });
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
