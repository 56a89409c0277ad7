/** The cost of a folder's files: how often they are read, how many commits are in memory, and which of them are trusted. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { rejection } from "../../../../test/engines/rocksdb/helpers.js";
import { type Cloud, type FolderCloudOptions, folderCloud, type Ledger } from "../../src/index.js";
import { noCloud } from "../../src/sync/cloud.js";
import { Download } from "../../src/sync/folder/download.js";
import { KnownCommits } from "../../src/sync/folder/known-commits.js";
import { PageFiles } from "../../src/sync/folder/page-files.js";
import { FolderKeys } from "../../src/sync/folder/sealed-files.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { decodeCommit } from "../../src/tables/commit-table.js";
import { contents, PAGE, testLedger, ticking } from "../support.js";

let path = "";
const open: Ledger[] = [];

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "merostore-folder-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const ledger of open.splice(0)) await ledger.close();
  rmSync(path, { recursive: true, force: true });
});

/** A device that syncs only when a test calls `sync`. `through` may change what its cloud sees of the page. */
async function device(
  number: number,
  through: (cloud: Cloud) => Cloud = (cloud) => cloud,
  patience = 60_000,
  options: FolderCloudOptions = {},
) {
  const cloud = folderCloud(path, { interval: 0, patience, ...options });
  const clock = ticking(BigInt(1000 + number), 1000n);
  const ledger = await testLedger({ cloud: through(cloud), clock });
  open.push(ledger);
  return { cloud, ledger, page: await ledger.page(PAGE) };
}

/** The paths of the files of pages: all, or those in folders of this name. */
function pageFiles(folder = ""): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.includes(`/${folder}`) && statSync(join(path, name)).isFile())
    .map((name) => join(path, name))
    .sort();
}

function commitFiles(): string[] {
  return pageFiles("commits");
}

it.each([
  ["half copied", (whole: Uint8Array) => whole.subarray(0, 60)],
  ["another one", () => new Uint8Array(300)],
])("a parent whose file is %s is written again with its child", async (_, spoilt) => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [parent = ""] = commitFiles();
  const whole = readFileSync(parent);
  writeFileSync(parent, spoilt(whole));
  await one.page.put("a", "2");
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(readFileSync(parent)).toEqual(whole);
  const two = await device(2);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ a: "2" });
});

it("a whole file with another commit than its name says is damaged, and a device that has the commit replaces it", async () => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [parent = ""] = commitFiles();
  const whole = readFileSync(parent);
  // Without a key, anybody can write a file that is whole.
  const files = new FolderKeys(undefined).page("test", Buffer.from(PAGE as string, "hex"));
  const name = parent.slice(-40);
  writeFileSync(parent, await files.seal("commits", name, new Uint8Array(100)));
  await rejection(
    device(2, undefined, 0).then(async ({ cloud }) => {
      await cloud.sync().catch(() => undefined);
      return cloud.sync();
    }),
    "DATA_INTEGRITY_ERROR",
  );
  await one.page.put("a", "2");
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(readFileSync(parent)).toEqual(whole);
});

it("an unusable file is read once, until it changes", async () => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = commitFiles();
  const whole = readFileSync(commit);
  writeFileSync(commit, whole.subarray(0, 70));
  const two = await device(2);
  expect(await two.cloud.sync()).toEqual({ waiting: 1 });
  const read = vi.spyOn(SharedFolder.prototype, "read");
  expect(await two.cloud.sync()).toEqual({ waiting: 1 });
  const ofCommit = read.mock.results.filter((_, at) => commit.endsWith(read.mock.calls[at]?.[0] ?? "?"));
  expect(await Promise.all(ofCommit.map(({ value }) => value))).toEqual(["unchanged"]);
  writeFileSync(commit, whole);
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
});

it("unusable files, however many, delay no commit, and are not all read again", async () => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = commitFiles();
  const folder = join(commit, "..");
  for (let at = 0; at < 1050; at++)
    for (const end of ["0", "f"])
      writeFileSync(join(folder, `${end}${at.toString(16).padStart(39, "0")}`), "");
  const two = await device(2);
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
  const one = await device(1);
  for (let at = 0; at < 300; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const folder = new SharedFolder(path);
  const added: bigint[][] = [];
  await device(2, () => ({
    async connect(page) {
      const files = new PageFiles(folder, new FolderKeys(undefined).page(page.ledger, page.id), 60_000);
      const addCommits: typeof page.addCommits = async (commits) =>
        void added.push(Array.from(commits, ({ bytes }) => decodeCommit(bytes).generation));
      const parts = { page: { ...page, addCommits }, folder, files, known: new KnownCommits(page) };
      const callbacks = { isClosed: () => false, onDamaged: async () => undefined };
      const size = { commits: 256, bytes: 1 << 20 };
      expect(await new Download({ ...parts, ...callbacks }, size).run()).toEqual({ waiting: 0 });
      return noCloud;
    },
  }));
  expect(added.map((batch) => batch.length)).toEqual([256, 44]);
  expect(added.flat()).toEqual(Array.from({ length: 300 }, (_, at) => BigInt(1 + at)));
});

it("commits, however many, all come at once, and new files that are unusable a part at a time", async () => {
  const one = await device(1);
  for (let at = 0; at < 40; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const commits = commitFiles();
  const wholes = commits.map((name) => readFileSync(name));
  const runs: unknown[] = [];
  const folder = new SharedFolder(path);
  await device(2, () => ({
    async connect(page) {
      const files = new PageFiles(folder, new FolderKeys(undefined).page(page.ledger, page.id), 60_000);
      const addCommits: typeof page.addCommits = async () => undefined;
      const parts = { page: { ...page, addCommits }, folder, files, known: new KnownCommits(page) };
      const callbacks = { isClosed: () => false, onDamaged: async () => undefined };
      const small = (): Download => new Download({ ...parts, ...callbacks }, undefined, 16);
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
      return noCloud;
    },
  }));
  expect(runs).toEqual([{ waiting: 40 }, { waiting: 40 }, { waiting: 40 }, { waiting: 0 }]);
});

it("a download that is closed reads no more files", async () => {
  const one = await device(1);
  for (let at = 0; at < 60; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const folder = new SharedFolder(path);
  const reads: number[] = [];
  await device(2, () => ({
    async connect(page) {
      const files = new PageFiles(folder, new FolderKeys(undefined).page(page.ledger, page.id), 60_000);
      const parts = { page, folder, files, known: new KnownCommits(page), onDamaged: async () => undefined };
      const read = vi.spyOn(SharedFolder.prototype, "read");
      // While it looks at them first, and while it reads again what it has not kept: all but one.
      for (const last of [20, 60]) {
        read.mockClear();
        const isClosed = (): boolean => read.mock.calls.length >= last;
        await new Download({ ...parts, isClosed }, { commits: 4096, bytes: 1 }).run();
        reads.push(read.mock.calls.length);
      }
      return noCloud;
    },
  }));
  expect(reads).toEqual([32, 60]);
});

it("heads do not wait for a folder in which nobody looks by himself", async () => {
  const trips: (number | undefined)[] = [];
  for (const [number, interval] of [0, 1000].entries())
    await device(
      number,
      (cloud) => ({
        async connect(page) {
          const connection = await cloud.connect(page);
          trips.push(connection.roundTrip);
          return connection;
        },
      }),
      0,
      { interval },
    );
  expect(trips).toEqual([undefined, 2000]);
});

it("a history of a few hundred commits is added at once", async () => {
  const one = await device(1);
  for (let at = 0; at < 300; at++) await one.page.put("a", `${at}`);
  await one.cloud.sync();
  const added: number[] = [];
  const two = await device(2, (cloud) => ({
    connect: (page) =>
      cloud.connect({
        ...page,
        addCommits: (commits, source) => {
          added.push([...commits].length);
          return page.addCommits(commits, source);
        },
      }),
  }));
  await two.cloud.sync();
  expect(added).toEqual([300]);
  expect(await contents(two.page)).toEqual({ a: "299" });
});

it("a folder in the place of a file counts as a file that is missing", async () => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const [commit = ""] = commitFiles();
  rmSync(commit);
  mkdirSync(commit);
  await one.page.put("a", "2");
  await rejection(one.cloud.sync(), "ILLEGAL_STATE");
});

it.each([
  ["without a key", {}],
  ["with a key", { key: "5f".repeat(32) }],
])("a damaged file is written again by a device that has its content, %s", async (_, options) => {
  const one = await device(1, undefined, 0, options);
  await one.page.put("a", "a ".repeat(100));
  await one.page.put("b", "1");
  await one.cloud.sync();
  const all = pageFiles();
  const whole = new Map(all.map((name) => [name, readFileSync(name)]));
  expect(all.length).toBeGreaterThan(4);
  for (const name of all) {
    const bytes = Uint8Array.from(readFileSync(name));
    bytes.set([1, 2, 3], 50);
    writeFileSync(name, bytes);
    const two = await device(2, undefined, 0, options);
    await two.cloud.sync().catch(() => undefined);
    // The state of the first commit is fetched when somebody reads it.
    const readAll = async (): Promise<void> => {
      expect(await two.cloud.sync()).toEqual({ waiting: 0 });
      for await (const { id } of two.page.history()) await (await two.page.snapshotAt(id)).close();
    };
    await readAll().catch(() => undefined);
    await rejection(readAll(), "DATA_INTEGRITY_ERROR");
    expect(pageFiles("repairs")).toHaveLength(1);
    await one.cloud.sync();
    expect(pageFiles("repairs")).toEqual([]);
    expect(readFileSync(name)).toHaveLength(whole.get(name)?.length ?? 0);
    await readAll();
    expect(await contents(two.page)).toEqual({ a: "a ".repeat(100), b: "1" });
    await two.ledger.close();
  }
});

it("a request that no device can answer stays, and so does another file; neither stops the sync", async () => {
  const one = await device(1);
  await one.page.put("a", "1");
  await one.cloud.sync();
  const folder = join(commitFiles()[0] ?? "", "../../repairs");
  mkdirSync(folder);
  for (const name of [`commits-${"0".repeat(40)}`, `pieces-${"0".repeat(40)}`, "commits", "pieces-.."])
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

it("a device that cannot upload writes damaged files again nevertheless", async () => {
  const one = await device(1);
  await one.page.put("a", "a ".repeat(100));
  await one.cloud.sync();
  const [commit = ""] = commitFiles();
  const [piece = ""] = pageFiles("pieces");
  writeFileSync(piece, new Uint8Array(300));
  const two = await device(2, undefined, 0);
  await two.cloud.sync().catch(() => undefined);
  await rejection(two.cloud.sync(), "DATA_INTEGRITY_ERROR");
  expect(pageFiles("repairs")).toHaveLength(1);
  rmSync(commit);
  await one.page.put("a", "2");
  await rejection(one.cloud.sync(), "ILLEGAL_STATE");
  expect(pageFiles("repairs")).toEqual([]);
  expect(readFileSync(piece)).not.toHaveLength(300);
});
