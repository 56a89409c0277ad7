/** The folder of a cloud: what puts leave there, what syncing costs, also if there is nothing to sync, and beside junk. */
import { randomBytes } from "node:crypto";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../bench/temporary-folder.js";
import { folderCloud, memoryPlace, openLedger, type Page } from "../src/index.js";
import { cpuSince, keyOf } from "./ledger-values.js";

/** The time of a sync, and what the folder has then. */
export interface FolderCost {
  /** Milliseconds of processor time. */
  readonly cpu: number;
  /** Milliseconds. */
  readonly time: number;
  readonly files: number;
  readonly bytes: number;
}

async function measured(folder: string, sync: () => Promise<unknown>): Promise<FolderCost> {
  const [start, begin] = [process.cpuUsage(), performance.now()];
  await sync();
  const [cpu, time] = [cpuSince(start), performance.now() - begin];
  const sizes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .flatMap((found) => (found.isFile() ? [found.size] : []));
  return { cpu, time, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Fills a page with entries of 100 random bytes in one commit, and syncs it. */
async function withPage<T>(
  entries: number,
  work: (page: Page, sync: () => Promise<FolderCost>, folder: string) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder();
  const cloud = folderCloud(folder, { interval: 0, key: "5f".repeat(32) });
  await using ledger = await openLedger(memoryPlace(), { name: "folder", cloud });
  await using page = await ledger.rootPage();
  await page.transaction(async (tx) => {
    for (let at = 0; at < entries; at++) await tx.put(keyOf(at), randomBytes(100));
  });
  await cloud.sync();
  return await work(page, () => measured(folder, () => cloud.sync()), folder);
}

/** One sync of so many puts of 100 bytes, each a commit: what it costs, and what it adds to the folder. */
export function syncOfPuts(entries: number, puts: number): Promise<FolderCost> {
  return withPage(entries, async (page, sync) => {
    const before = await sync();
    for (let at = 0; at < puts; at++)
      await page.put(keyOf(Math.floor((at * Math.max(entries, puts)) / puts)), randomBytes(100));
    const { cpu, time, files, bytes } = await sync();
    return { cpu, time, files: files - before.files, bytes: bytes - before.bytes };
  });
}

/** A sync with nothing to do, after so many commits. */
export function idleSync(commits: number): Promise<FolderCost> {
  return withPage(0, async (page, sync) => {
    for (let at = 0; at < commits; at++) await page.put("key", `${at}`);
    await sync();
    return sync();
  });
}

/** A sync that brings one put beside new foreign files, and the next one. */
export async function syncBesideJunk(junk: number): Promise<readonly [FolderCost, FolderCost]> {
  return withPage(1, async (page, _, folder) => {
    const [packs = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("packs"),
    );
    const cloud = folderCloud(folder, { interval: 0, key: "5f".repeat(32) });
    await using other = await openLedger(memoryPlace(), { name: "folder", cloud });
    await using shown = await other.rootPage();
    await cloud.sync();
    for (let at = 0; at < junk; at++) writeFileSync(join(folder, packs, randomBytes(20).toString("hex")), "");
    const first = await measured(folder, () => cloud.sync());
    if ((await shown.get(keyOf(0)))?.length !== 100) throw new Error("the entry is missing");
    const next = await measured(folder, () => cloud.sync());
    await page.close();
    return [first, next];
  });
}
