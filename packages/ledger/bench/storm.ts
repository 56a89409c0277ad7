/** Several devices that write at the same time and share a folder: how many commits they leave, and how soon they agree. */

import { setTimeout as sleep } from "node:timers/promises";
import { toHex } from "merostore/internal";
import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { folderCloud, memoryPlace, openLedger, type Page } from "../src/index.js";

/** The devices of a storm, and how they write and sync. */
export interface StormOptions {
  readonly devices: number;
  /** Milliseconds between two puts of a device. */
  readonly puts: number;
  /** Milliseconds for which the devices write. */
  readonly length: number;
  /** Milliseconds between two looks of a device into the folder. */
  readonly interval: number;
  /** Milliseconds after the last put after which nobody waits any longer. */
  readonly patience: number;
}

/** The outcome of a storm. */
export interface Storm {
  readonly puts: number;
  readonly commits: number;
  readonly merges: number;
  /** The most heads of a device at the end. */
  readonly heads: number;
  /** Milliseconds from the last put until all devices were at the same commit; undefined if they never were. */
  readonly untilEqual: number | undefined;
  /** Milliseconds: twice the interval, and twice the slowest sync after the last put. */
  readonly roundTrip: number;
}

/** Lets the devices write disjoint keys, then waits until they agree. */
export async function storm({ devices, puts, length, interval, patience }: StormOptions): Promise<Storm> {
  const folder = temporaryFolder();
  const clouds = Array.from({ length: devices }, () => folderCloud(folder, { interval }));
  const ledgers = await Promise.all(
    clouds.map((cloud) => openLedger(memoryPlace(), { name: "storm", cloud })),
  );
  try {
    const pages = await Promise.all(ledgers.map((ledger) => ledger.rootPage()));
    const made = await Promise.all(pages.map((page, at) => write(page, at, puts, length)));
    const last = Math.max(...made.map(({ end }) => end));
    const synced = Promise.all(clouds.map((cloud) => cloud.sync())).then(() => performance.now() - last);
    let untilEqual: number | undefined;
    while (untilEqual === undefined && performance.now() - last < patience) {
      await sleep(20);
      if (await areEqual(pages)) untilEqual = performance.now() - last;
    }
    const counts = await Promise.all(pages.map(countsOf));
    const most = (of: (counts: Counts) => number): number => Math.max(...counts.map(of));
    return {
      puts: made.reduce((sum, { count }) => sum + count, 0),
      commits: most(({ commits }) => commits),
      merges: most(({ merges }) => merges),
      heads: most(({ heads }) => heads),
      untilEqual,
      roundTrip: 2 * (interval + (await synced)),
    };
  } finally {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  }
}

/** Puts keys of a device's own, beginning at a moment of its own. Returns how many, and when the last one was stored. */
async function write(
  page: Page,
  device: number,
  puts: number,
  length: number,
): Promise<{ readonly count: number; readonly end: number }> {
  await sleep(Math.random() * puts);
  const start = performance.now();
  for (let count = 0; ; ) {
    await page.put(`${device}/${count}`, `${count}`);
    count++;
    const end = performance.now();
    const next = start + count * puts;
    if (next >= start + length) return { count, end };
    await sleep(Math.max(0, next - end));
  }
}

interface Counts {
  readonly commits: number;
  readonly merges: number;
  readonly heads: number;
}

async function countsOf(page: Page): Promise<Counts> {
  let commits = 0;
  let merges = 0;
  for await (const { parents } of page.history()) {
    commits++;
    if (parents.length > 1) merges++;
  }
  return { commits, merges, heads: (await page.heads()).length };
}

async function areEqual(pages: readonly Page[]): Promise<boolean> {
  const heads = await Promise.all(pages.map((page) => page.heads()));
  const [first] = heads[0] ?? [];
  return heads.every(
    ([head, ...others]) =>
      head !== undefined && first !== undefined && others.length === 0 && toHex(head.id) === toHex(first.id),
  );
}
