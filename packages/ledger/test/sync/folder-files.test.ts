/** The files of a folder: how often they are read, how many commits memory holds, and which of them are trusted. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MerostoreError } from "merostore/internal";
import { afterEach, expect, it, vi } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { Cloud, SyncedPage } from "../../src/index.js";
import { Download, type DownloadParts } from "../../src/sync/folder/download.js";
import { KnownPacks } from "../../src/sync/folder/known-packs.js";
import { packBytes } from "../../src/sync/folder/pack-format.js";
import { PagePacks } from "../../src/sync/folder/page-packs.js";
import { FolderKeys } from "../../src/sync/folder/sealed-files.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { decodeCommit } from "../../src/tables/commit-table.js";
import { cloudOf, contents, PAGE } from "../support.js";
import { type Device, FolderDevices } from "./folder-devices.js";

const devices = new FolderDevices();
afterEach(async () => {
  vi.restoreAllMocks();
  await devices.remove();
});

/** The paths of the files of a page in folders of this name. */
function pageFiles(folder: string): string[] {
  return devices.files(`/${folder}`).map((name) => join(devices.path, name));
}

/** A device whose cloud does nothing but pass on its page. */
function unsynced(number: number, onPage: (page: SyncedPage) => unknown): Promise<Device> {
  return devices.add(number, { through: () => cloudOf({ onPage }) });
}

function packFiles(): string[] {
  return pageFiles("packs");
}

function packsOf(page: Pick<SyncedPage, "ledger" | "id">): PagePacks {
  const sealed = new FolderKeys(undefined).page(page.ledger, page.id);
  return new PagePacks(new SharedFolder(devices.path), sealed, 60_000);
}

/** The parts of a download. */
function partsOf(page: SyncedPage): DownloadParts {
  return {
    ...{ page, folder: new SharedFolder(devices.path), packs: packsOf(page), known: new KnownPacks(page) },
    isClosed: () => false,
    onDamaged: async () => undefined,
  };
}

/** Writes `count` commits of a device, each as a pack of its own without its pieces. */
async function writePacks(count: number): Promise<void> {
  let connected: SyncedPage | undefined;
  const one = await unsynced(8, (page) => {
    connected = page;
  });
  for (let at = 0; at < count; at++) await one.page.put("a", `${at}`);
  const page = connected as SyncedPage;
  const packs = packsOf(page);
  for (const { bytes } of await page.unsyncedCommits())
    await packs.write({ replaces: [], commits: [bytes], pieces: [] });
}

it.each([
  ["half copied", (whole: Uint8Array) => whole.subarray(0, 60)],
  ["another one", () => new Uint8Array(300)],
])("a parent whose pack is %s is written again with its child", async (_, spoilt) => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [parent = ""] = packFiles();
  const whole = readFileSync(parent);
  writeFileSync(parent, spoilt(whole));
  await one.page.put("a", "2");
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(packFiles()).toHaveLength(3);
  const two = await devices.add(2);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ a: "2" });
});

it("a whole pack of another name is damaged, and a device that has its commits replaces it", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [parent = ""] = packFiles();
  // Without a key, anybody can write a file that is whole.
  const files = new FolderKeys(undefined).page("test", Buffer.from(PAGE as string, "hex"));
  const content = { replaces: [], commits: [new Uint8Array(100)], pieces: [] };
  writeFileSync(parent, await packBytes(files, "0".repeat(40), content));
  await rejection(
    devices.add(2, { patience: 0 }).then(async ({ cloud }) => {
      await cloud.sync().catch(() => undefined);
      return cloud.sync();
    }),
    "DATA_INTEGRITY_ERROR",
  );
  await one.page.put("a", "2");
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  const two = await devices.add(3);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ a: "2" });
});

it("damage in any byte of a small pack is an error once it has stayed, and others are asked for the content", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [pack = ""] = packFiles();
  const whole = readFileSync(pack);
  for (let at = 0; at < whole.length; at += 5) {
    const spoilt = Uint8Array.from(whole);
    spoilt[at] = (spoilt[at] as number) ^ 1;
    writeFileSync(pack, spoilt);
    const { cloud } = await devices.add(2, { patience: 0 });
    await cloud.sync().catch(() => undefined);
    await rejection(cloud.sync(), "DATA_INTEGRITY_ERROR");
  }
  expect(pageFiles("repairs")).not.toEqual([]);
});

it("an unusable file is read once, until it changes", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = packFiles();
  const whole = readFileSync(commit);
  writeFileSync(commit, whole.subarray(0, 70));
  const two = await devices.add(2);
  expect(await two.cloud.sync()).toEqual({ waiting: 1 });
  const read = vi.spyOn(SharedFolder.prototype, "read");
  expect(await two.cloud.sync()).toEqual({ waiting: 1 });
  const ofCommit = read.mock.results.filter((_, at) => commit.endsWith(read.mock.calls[at]?.[0] ?? "?"));
  expect(await Promise.all(ofCommit.map(({ value }) => value))).toEqual(["unchanged"]);
  writeFileSync(commit, whole);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
});

it("unusable files, however many, delay no commit, and are not all read again", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = packFiles();
  const folder = join(commit, "..");
  for (let at = 0; at < 1050; at++)
    for (const end of ["0", "f"])
      writeFileSync(join(folder, `${end}${at.toString(16).padStart(39, "0")}`), "");
  const two = await devices.add(2);
  expect(await two.cloud.sync()).toEqual({ waiting: 2100 });
  expect(await contents(two.page)).toEqual({ a: "1" });
  const read = vi.spyOn(SharedFolder.prototype, "read");
  const again = new Set<string>();
  for (let syncs = 0; syncs < 5; syncs++) {
    read.mockClear();
    await one.page.put("a", `${syncs}`);
    await one.cloud.sync();
    read.mockClear();
    expect(await two.cloud.sync()).toEqual({ waiting: 2100 });
    expect(await contents(two.page)).toEqual({ a: `${syncs}` });
    expect(read.mock.calls.length).toBeLessThan(1100);
    for (const [name] of read.mock.calls) again.add(name);
  }
  // All are read again in time: one may be a copy that has ended.
  expect(again.size).toBeGreaterThan(2100);
});

it("a long history is added in batches, parents first", async () => {
  const one = await devices.add(1);
  for (let at = 0; at < 300; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const added: bigint[][] = [];
  await unsynced(2, async (page) => {
    const addCommits: typeof page.addCommits = async (commits) =>
      void added.push(Array.from(commits, ({ bytes }) => decodeCommit(bytes).generation));
    const download = new Download(partsOf({ ...page, addCommits }), 256);
    expect(await download.run()).toEqual({ waiting: 0 });
  });
  expect(added.map((batch) => batch.length)).toEqual([256, 44]);
  expect(added.flat()).toEqual(Array.from({ length: 300 }, (_, at) => BigInt(1 + at)));
});

it("commits, however many, all come at once, and new files that are unusable a part at a time", async () => {
  await writePacks(40);
  const commits = packFiles();
  const wholes = commits.map((name) => readFileSync(name));
  const runs: unknown[] = [];
  await unsynced(2, async (page) => {
    const parts = partsOf({ ...page, addCommits: async () => undefined });
    const small = (): Download => new Download(parts, undefined, 16);
    const read = vi.spyOn(SharedFolder.prototype, "read");
    for (const name of commits) writeFileSync(name, "");
    const download = small();
    for (const expected of [16, 32, 40]) {
      read.mockClear();
      runs.push(await download.run());
      expect(read.mock.calls).toHaveLength(expected);
    }
    for (const [at, name] of commits.entries()) writeFileSync(name, wholes[at] as Uint8Array);
    runs.push(await small().run());
  });
  expect(runs).toEqual([{ waiting: 40 }, { waiting: 40 }, { waiting: 40 }, { waiting: 0 }]);
});

it("a download that is closed reads no more files", async () => {
  await writePacks(60);
  let reads = 0;
  await unsynced(2, async (page) => {
    const read = vi.spyOn(SharedFolder.prototype, "read");
    const isClosed = (): boolean => read.mock.calls.length >= 20;
    expect(await new Download({ ...partsOf(page), isClosed }).run()).toEqual({ waiting: 60 });
    reads = read.mock.calls.length;
  });
  expect(reads).toBe(32);
});

it("heads do not wait for a folder in which nobody looks by himself", async () => {
  const trips: (number | undefined)[] = [];
  for (const [number, interval] of [0, 1000].entries())
    await devices.add(number, {
      interval,
      through: (cloud) => ({
        async connect(page) {
          const connection = await cloud.connect(page);
          trips.push(connection.roundTrip);
          return connection;
        },
      }),
    });
  expect(trips).toEqual([undefined, 2000]);
});

it("a history of a few hundred commits is added at once", async () => {
  const one = await devices.add(1);
  for (let at = 0; at < 300; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const added: number[] = [];
  const through = (cloud: Cloud): Cloud => ({
    connect: (page) =>
      cloud.connect({
        ...page,
        addCommits: (commits, source) => {
          added.push([...commits].length);
          return page.addCommits(commits, source);
        },
      }),
  });
  const two = await devices.add(2, { through });
  await two.cloud.sync();
  expect(added).toEqual([300]);
  expect(await contents(two.page)).toEqual({ a: "299" });
});

it("a folder in the place of a file counts as a file that is missing", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = packFiles();
  rmSync(commit);
  mkdirSync(commit);
  await one.page.put("a", "2");
  await rejection(one.cloud.sync(), "ILLEGAL_STATE");
});

it.each([
  ["without a key", {}],
  ["with a key", { key: "5f".repeat(32) }],
])("a damaged pack is written again by a device that has its content, %s", async (_, options) => {
  const one = await devices.add(1, { patience: 0, ...options });
  for (let at = 0; at < 4; at++) {
    await one.page.put(`a${at}`, `${at} `.repeat(100));
    await one.cloud.sync();
  }
  const all = packFiles();
  expect(all).toHaveLength(4);
  for (const [number, name] of all.entries()) {
    const bytes = Uint8Array.from(readFileSync(name));
    // In the index, or in the last block, which holds pieces.
    bytes.set([1, 2, 3], number < 2 ? 50 : bytes.length - 20);
    writeFileSync(name, bytes);
    const two = await devices.add(2, { patience: 0, ...options });
    await two.cloud.sync().catch(() => undefined);
    // The state of the first commit is fetched when somebody reads it.
    const readAll = async (): Promise<void> => {
      expect(await two.cloud.sync()).toEqual({ waiting: 0 });
      for await (const { id } of two.page.history()) await (await two.page.snapshotAt(id)).close();
    };
    await readAll().catch(() => undefined);
    await rejection(readAll(), "DATA_INTEGRITY_ERROR");
    expect(pageFiles("repairs").length).toBeGreaterThan(0);
    // One request for each piece that is needed next.
    for (let round = 0; pageFiles("repairs").length > 0 && round < 10; round++) {
      await one.cloud.sync();
      await readAll().catch(() => undefined);
    }
    expect(pageFiles("repairs")).toEqual([]);
    expect(Uint8Array.from(readFileSync(name))).toEqual(bytes);
    await readAll();
    expect(Object.keys(await contents(two.page))).toHaveLength(4);
    await two.ledger.close();
  }
});

it("a request that no device can answer stays, and so does another file; neither stops the sync", async () => {
  const one = await devices.add(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const folder = join(packFiles()[0] ?? "", "../../repairs");
  mkdirSync(folder);
  for (const name of [`packs-${"0".repeat(40)}`, `pieces-${"0".repeat(40)}`, "packs", "pieces-.."])
    writeFileSync(join(folder, name), "foreign");
  const files = new FolderKeys(undefined).page("test", Buffer.from(PAGE as string, "hex"));
  for (const length of [0, 1, 33, 34, 60_000]) {
    const digest = new Uint8Array(length);
    const piece = `pieces-${files.name("pieces", digest)}`;
    writeFileSync(join(folder, piece), await files.seal("repairs", piece, digest));
  }
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(readdirSync(folder)).toHaveLength(9);
});

it("a device that cannot upload writes damaged packs again nevertheless", async () => {
  let isBroken = false;
  const unsyncedCommits = async (page: SyncedPage) => {
    if (isBroken) throw new MerostoreError("ILLEGAL_STATE", "broken");
    return page.unsyncedCommits();
  };
  const through = (cloud: Cloud): Cloud => ({
    connect: (page) => cloud.connect({ ...page, unsyncedCommits: () => unsyncedCommits(page) }),
  });
  const one = await devices.add(1, { through });
  await one.page.put("a", "a ".repeat(100));
  await one.cloud.sync();
  const [first = ""] = packFiles();
  await one.page.put("a", "b ".repeat(100));
  await one.cloud.sync();
  writeFileSync(first, new Uint8Array(300));
  const two = await devices.add(2, { patience: 0 });
  await two.cloud.sync().catch(() => undefined);
  await rejection(two.cloud.sync(), "DATA_INTEGRITY_ERROR");
  expect(pageFiles("repairs")).toHaveLength(1);
  isBroken = true;
  await one.page.put("a", "2");
  await rejection(one.cloud.sync(), "ILLEGAL_STATE");
  expect(pageFiles("repairs")).toEqual([]);
  expect(packFiles()).toHaveLength(3);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ a: "b ".repeat(100) });
});
