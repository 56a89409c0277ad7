/** The progress of a sync, and its transfers. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Progress } from "merostore/internal";
import { afterEach, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type FolderCloudOptions, folderCloud, httpStore, MemoryCloud, serveFiles } from "../../src/index.js";
import { contents, PAGE, testLedger } from "../support.js";
import { FolderDevices, large } from "./folder-devices.js";

const devices = new FolderDevices();

afterEach(() => devices.remove());

/** A device and the progress reports of its cloud. */
async function device(number: number, options: FolderCloudOptions = {}) {
  const made = await devices.add(number, options);
  const told: Progress[] = [];
  return { ...made, told, onProgress: (progress: Progress) => void told.push({ ...progress }) };
}

it("grows to its total, in bytes of packs, up and down", async () => {
  const one = await device(1);
  await one.cloud.sync();
  expect(one.cloud.transferred.up).toMatchObject({ files: 1, commits: 0 }); // the mark
  await one.page.transaction(async (tx) => {
    for (const name of ["a", "b"]) await tx.put(name, large(name));
  });
  await one.cloud.sync({ onProgress: one.onProgress });
  const packs = devices.files("/packs/").map((name) => statSync(join(devices.path, name)).size);
  const size = packs.reduce((a, b) => a + b);
  const up = one.cloud.transferred.up;
  expect(up).toMatchObject({ files: 2, commits: 1 });
  expect(up.bytes).toBeGreaterThan(size);
  const last = one.told.at(-1) as Progress;
  expect(last.unit).toBe("bytes");
  expect(last.done).toBe(last.total);
  const two = await device(2);
  await two.cloud.sync({ onProgress: two.onProgress });
  expect(await contents(two.page)).toEqual({ a: large("a"), b: large("b") });
  expect(two.cloud.transferred.down).toMatchObject({ commits: 1 });
  expect(two.cloud.transferred.down.bytes).toBeGreaterThan(size / 2);
  for (const [at, { done, total }] of two.told.entries()) {
    expect(done).toBeGreaterThanOrEqual(two.told[at - 1]?.done ?? 0);
    expect(done).toBeLessThanOrEqual(total ?? 0);
  }
});

it("ends with its total where nothing is transferred", async () => {
  const one = await device(1);
  await one.cloud.sync();
  await one.cloud.sync({ onProgress: one.onProgress });
  expect(one.told).toEqual([{ done: 0, total: 0, unit: "bytes" }]);
  const { down, up } = one.cloud.transferred;
  expect([down.commits, up.commits]).toEqual([0, 0]);
});

it("is that of a server, too, and its errors and signals end the waiting, not the syncing", async () => {
  const token = "made-up-token-0123456789";
  await using server = await serveFiles(devices.path, { token });
  const one = await device(1);
  await one.page.put("a", large("a"));
  await one.cloud.sync();
  const store = httpStore(server.url, { token });
  const cloud = folderCloud(store, { interval: 0 });
  await using ledger = await testLedger({ cloud });
  await using page = await ledger.page(PAGE);
  const told: Progress[] = [];
  await cloud.sync({ onProgress: (progress) => void told.push(progress) });
  expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
  expect(await contents(page)).toEqual({ a: large("a") });
  expect(cloud.transferred.down).toMatchObject({ commits: 1 });
  const reason = new Error("stop");
  await one.page.put("b", "1");
  const throwing = () => {
    throw reason;
  };
  await expect(one.cloud.sync({ onProgress: throwing })).rejects.toBe(reason);
  await expect(one.cloud.sync({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(one.page.syncState).toEqual({ download: "idle", upload: "idle" });
  const wrong = { onprogress: throwing } as never;
  await rejection(one.cloud.sync(wrong), "INVALID_ARGUMENT");
});

it("is that of a cloud in memory, too: each commit and each piece counts as a file", async () => {
  const cloud = new MemoryCloud();
  await using one = await testLedger({ cloud });
  await using page = await one.page(PAGE);
  expect(await cloud.sync()).toEqual({ waiting: 0 });
  const told: Progress[] = [];
  const follow = { onProgress: (progress: Progress) => void told.push({ ...progress }) };
  await cloud.sync(follow);
  expect(told).toEqual([{ done: 0, total: 0, unit: "bytes" }]);
  cloud.reachable = false;
  await page.put("a", large("a"));
  await rejection(cloud.sync(follow), "NETWORK_ERROR");
  cloud.reachable = true;
  await cloud.sync(follow);
  const { up } = cloud.transferred;
  expect(up).toMatchObject({ commits: 1 });
  expect(up.bytes).toBeGreaterThan(large("a").length / 2);
  await using two = await testLedger({ cloud });
  await using other = await two.page(PAGE);
  await cloud.sync(follow);
  expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
  expect(await contents(other)).toEqual({ a: large("a") });
  expect(cloud.transferred).toEqual({ up, down: { ...up } });
  const aborted = { signal: AbortSignal.abort(new Error("stop")) };
  await expect(cloud.sync(aborted)).rejects.toThrow("stop");
  await rejection(cloud.sync({ onprogress: 1 } as never), "INVALID_ARGUMENT");
});
