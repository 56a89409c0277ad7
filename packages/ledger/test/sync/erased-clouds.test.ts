/** Clouds that were erased while devices have everything: the loss is named, and the devices restore their commits. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MerostoreError, toHex } from "merostore/internal";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import {
  type FileServer,
  type FileStore,
  httpStore,
  type Ledger,
  MemoryCloud,
  memoryPlace,
  type Page,
  type SyncState,
  serveFiles,
} from "../../src/index.js";
import { MOST_PACKS } from "../../src/sync/folder/compaction.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { faultsOf, readStored } from "../stored.js";
import { contents, headOf, PAGE, testLedger, ticking } from "../support.js";
import { allStates, type Device, FolderDevices, large } from "./folder-devices.js";

const TOKEN = "0123456789abcdef";
const devices = new FolderDevices();
let server: FileServer | undefined;
let warnings: string[] = [];
const onWarning = ({ message }: Error): void => void warnings.push(message);

beforeEach(() => {
  warnings = [];
  process.on("warning", onWarning);
});
afterEach(async () => {
  process.off("warning", onWarning);
  await devices.remove();
  await server?.close();
  server = undefined;
});

function device(number: number, store?: string | FileStore, place = memoryPlace()): Promise<Device> {
  return devices.add(number, { key: "5f".repeat(32), place, ...(store !== undefined && { store }) });
}

async function reachesAll(...all: readonly Device[]): Promise<void> {
  for (let round = 0; round < 20; round++) {
    for (const { cloud, page } of all) {
      await cloud.sync();
      await page.waitForConflictResolution();
      await cloud.sync();
    }
    const heads = await Promise.all(all.map(async ({ page }) => toHex(await headOf(page))));
    if (new Set(heads).size === 1) return;
  }
  throw new Error("the devices do not come to the same commit");
}

/** Removes the contents of the folder; unless `mark` is true, its mark stays. */
function erase(mark: boolean): void {
  for (const name of readdirSync(devices.path))
    if (mark || name !== "merostore-ledger.json") rmSync(join(devices.path, name), { recursive: true });
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe.each([
  ["a folder", async (): Promise<string | FileStore> => devices.path],
  [
    "a folder on a server",
    async (): Promise<string | FileStore> => {
      server = await serveFiles(devices.path, { token: TOKEN });
      return httpStore(server.url, { token: TOKEN });
    },
  ],
])("%s", (_, storeOf) => {
  it("whose pages were removed gets what each device has, and a new device all of it", async () => {
    const store = await storeOf();
    const [one, two] = [await device(1, store), await device(2, store)];
    for (const name of ["a", "b", "c"]) await one.page.put(name, large(name));
    await one.page.put("lazy", large("lazy"), { priority: "lazy" });
    await reachesAll(one, two);
    await two.page.put("unseen", "by one");
    await two.cloud.sync();
    erase(false);
    // Nobody has made a commit since; one has all commits but the last.
    expect(await one.cloud.sync()).toEqual({ waiting: 0, restored: 4 });
    expect(await two.cloud.sync()).toEqual({ waiting: 0, restored: 1 });
    await nextTick();
    expect(warnings).toEqual([
      expect.stringContaining(`had lost 4 commits of the page ${PAGE} of "test"`),
      expect.stringContaining(`had lost a commit of the page ${PAGE} of "test"`),
    ]);
    const three = await device(3, store);
    await three.page.put("three", "3");
    await reachesAll(one, two, three);
    expect(Object.keys(await contents(three.page))).toEqual(["a", "b", "c", "lazy", "three", "unseen"]);
    const eager = async (page: Page) => (await allStates(page)).map((state) => ({ ...state, lazy: null }));
    expect(await eager(three.page)).toEqual(await eager(one.page));
    await using snapshot = await three.page.snapshot();
    expect((await snapshot.get("lazy", { fetch: true }))?.length).toBe(large("lazy").length);
    await snapshot.close();
    for (const { cloud } of [one, two, three]) expect(await cloud.sync()).toEqual({ waiting: 0 });
    for (const { ledger, place } of [one, two, three]) {
      await ledger.close();
      expect(faultsOf(await readStored(place, "test", PAGE), { lazyMissing: true })).toEqual([]);
    }
  });

  it("that was emptied is left alone until somebody says that it is the right one", async () => {
    const store = await storeOf();
    const [one, two] = [await device(1, store), await device(2, store)];
    await one.page.put("a", "1");
    await reachesAll(one, two);
    await two.page.put("b", "2");
    await two.cloud.sync();
    erase(true);
    await one.page.put("c", "3");
    expect((await rejection(one.cloud.sync(), "NETWORK_ERROR")).message).toContain("was emptied");
    expect(readdirSync(devices.path)).toEqual([]);
    expect(one.page.syncState).toEqual({ download: "pending", upload: "pending" });
    expect(await one.cloud.restore()).toEqual({ waiting: 0, restored: 1 });
    expect(await two.cloud.sync()).toEqual({ waiting: 0, restored: 1 });
    const three = await device(3, store);
    await reachesAll(one, two, three);
    expect(await contents(three.page)).toEqual({ a: "1", b: "2", c: "3" });
  });
});

it("a device that begins in an emptied folder does not keep others from bringing theirs", async () => {
  const one = await device(1, devices.path);
  await one.page.put("a", "1");
  await one.cloud.sync();
  await one.ledger.close();
  erase(true);
  const two = await device(2, devices.path);
  await two.page.put("b", "2");
  await two.cloud.sync();
  const again = await device(1, devices.path, one.place);
  await reachesAll(again, two);
  expect(await contents(two.page)).toEqual({ a: "1", b: "2" });
  await nextTick();
  expect(warnings).toHaveLength(1);
});

it("a pack that was removed is written again, and the others stay", async () => {
  const [one, two] = [await device(1, devices.path), await device(2, devices.path)];
  await one.page.put("a", large("a"));
  await one.cloud.sync();
  const packs = join(
    devices.path,
    readdirSync(devices.path).find((name) => name.length === 40) as string,
    "packs",
  );
  const [first] = readdirSync(packs);
  await one.page.put("b", "2");
  await reachesAll(one, two);
  const before = readdirSync(packs);
  rmSync(join(packs, first as string));
  await two.page.put("c", "3");
  expect((await two.cloud.sync()).waiting).toBe(0);
  await nextTick();
  expect(warnings).toHaveLength(1);
  expect(readdirSync(packs).filter((name) => before.includes(name))).toHaveLength(before.length - 1);
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  const three = await device(3, devices.path);
  await reachesAll(one, two, three);
  expect(await allStates(three.page)).toEqual(await allStates(one.page));
});

/** A folder whose list of packs another function changes. */
function listing(list: (name: string, folder: SharedFolder) => Promise<string[]>): FileStore {
  const folder = new SharedFolder(devices.path);
  return new Proxy(folder, {
    get: (_, name) => {
      const member: unknown = Reflect.get(folder, name);
      if (name === "list") return (of: string) => list(of, folder);
      return typeof member === "function" ? member.bind(folder) : member;
    },
  });
}

const unreachable = listing(async () => {
  throw new MerostoreError("NETWORK_ERROR", "the folder cannot be reached");
});

// The list of a large folder has pages: the first one may be older than a pack, and the last one newer than the removal
// of the packs that it replaces.
it.each([
  { moment: "between two looks", look: 2, isTorn: false },
  { moment: "while what is lost is looked for", look: 2, isTorn: true },
  { moment: "before the upload", look: 3, isTorn: false },
  { moment: "while parents are looked for", look: 3, isTorn: true },
])("packs that another device joins during a sync are not lost: $moment", async ({ look, isTorn }) => {
  const [one, two] = [await device(1, devices.path), await device(2, devices.path)];
  for (let at = 0; at < MOST_PACKS; at++) {
    await one.page.put("a", `${at}`);
    await one.cloud.sync();
  }
  await two.cloud.sync();
  await two.ledger.close();
  const away = await device(2, unreachable, two.place);
  await away.page.put("b", "1");
  await away.ledger.close();
  let looks = 0;
  const store = listing(async (name, folder) => {
    if (!name.endsWith("packs") || ++looks !== look) return folder.list(name);
    const before = new Set(await folder.list(name));
    // The packs become one, and are removed.
    for (let at = 0; at < 3; at++) {
      await one.page.put("a", `joined ${at}`);
      await one.cloud.sync();
    }
    const names = await folder.list(name);
    return isTorn ? names.filter((one) => before.has(one)) : names;
  });
  const again = await device(2, store, two.place);
  const states: SyncState[] = [];
  again.page.watchSyncState(({ upload }) => void states.push(upload));
  for (let sync = 0; sync < 2; sync++) expect(await again.cloud.sync()).toEqual({ waiting: 0 });
  await nextTick();
  expect(looks).toBeGreaterThan(look);
  expect(warnings).toEqual([]);
  expect(states).not.toContain("error");
  await reachesAll(one, again);
  expect(await contents(one.page)).toEqual({ a: "joined 2", b: "1" });
});

it("packs that are there again are not written twice", async () => {
  const one = await device(1, devices.path);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const elsewhere = mkdtempSync(join(tmpdir(), "merostore-elsewhere-"));
  rmSync(elsewhere, { recursive: true });
  renameSync(devices.path, elsewhere);
  await rejection(one.cloud.sync(), "NETWORK_ERROR");
  mkdirSync(devices.path);
  await rejection(one.cloud.sync(), "NETWORK_ERROR");
  rmSync(devices.path, { recursive: true });
  renameSync(elsewhere, devices.path);
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
});

it("a cloud in memory gets what each device has", async () => {
  const cloud = new MemoryCloud();
  const ledgers = await Promise.all(
    [1, 2].map((number) => testLedger({ cloud, clock: ticking(BigInt(1000 + number), 1000n) })),
  );
  const [one, two] = (await Promise.all(ledgers.map((ledger) => ledger.page(PAGE)))) as [Page, Page];
  await one.put("a", large("a"));
  await one.put("b", large("b"));
  await cloud.idle();
  await one.close();
  await two.put("unseen", "by one");
  await cloud.idle();
  await two.close();
  cloud.erase();
  const again = await (ledgers[0] as Ledger).page(PAGE);
  await cloud.idle();
  expect(Object.keys(await contents(again))).toEqual(["a", "b"]);
  await (ledgers[1] as Ledger).page(PAGE);
  await cloud.idle();
  await using third = await testLedger({ cloud });
  const page = await third.page(PAGE);
  await cloud.idle();
  expect(Object.keys(await contents(page))).toEqual(["a", "b", "unseen"]);
  await nextTick();
  expect(warnings).toHaveLength(2);
  for (const ledger of ledgers) await ledger.close();
});
