/** The cost of a new device that gets a page with a history from a folder. */

import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { folderCloud, memoryPlace, openLedger } from "../src/index.js";
import { cpuSince, keyOf } from "./ledger-values.js";

/** The page, and what its history is. */
export interface NewDeviceOptions {
  readonly entries: number;
  /** Puts after the first commit, each a commit. */
  readonly puts: number;
}

/** The time and bytes of the new device. */
export interface NewDevice {
  /** Milliseconds of processor time until the first sync was complete. */
  readonly cpu: number;
  /** Milliseconds until then. */
  readonly time: number;
  /** Milliseconds until the entries were there. */
  readonly untilVisible: number;
  /** Commits that the device has. */
  readonly commits: number;
}

/** Fills a page of values of 100 bytes, syncs it, and opens it on another device. */
export async function newDevice({ entries, puts }: NewDeviceOptions): Promise<NewDevice> {
  const folder = temporaryFolder();
  const value = (number: number): string => `${number} `.repeat(50).slice(0, 100);
  {
    const cloud = folderCloud(folder, { interval: 0 });
    await using ledger = await openLedger(memoryPlace(), { name: "new", cloud });
    await using page = await ledger.rootPage();
    await page.transaction(async (transaction) => {
      for (let at = 0; at < entries; at++) await transaction.put(keyOf(at), value(at));
    });
    for (let at = 0; at < puts; at++)
      await page.put(keyOf(Math.floor((at * entries) / puts)), value(entries + at));
    await cloud.sync();
  }
  const cloud = folderCloud(folder, { interval: 0 });
  const start = process.cpuUsage();
  const begin = performance.now();
  await using ledger = await openLedger(memoryPlace(), { name: "new", cloud });
  await using page = await ledger.rootPage();
  let untilVisible = 0;
  using _ = await page.watch({}, () => {
    untilVisible ||= performance.now() - begin;
  });
  await cloud.sync();
  const time = performance.now() - begin;
  const cpu = cpuSince(start);
  let commits = 0;
  for await (const _ of page.history()) commits++;
  return { cpu, time, untilVisible, commits };
}
