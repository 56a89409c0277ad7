/** Devices of a folder: they are added, changed and removed, and only their packs are taken. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { removeTemporary, temporaryFolder } from "../../../../test/engines/temporary.js";
import {
  folderCloud,
  folderDevices,
  httpStore,
  memoryPlace,
  newDevice,
  type Page,
  serveFiles,
  startDevices,
} from "../../src/index.js";
import { MOST_PACKS } from "../../src/sync/folder/compaction.js";
import { contents, PAGE, testLedger } from "../support.js";
import { FolderDevices } from "./folder-devices.js";
import { type Member, Team } from "./team.js";

let team: Team;

beforeEach(async () => {
  team = await Team.start();
});
afterEach(() => team.remove());
afterAll(removeTemporary);

/** Puts an entry and syncs. */
async function put({ page, cloud }: Member, key: string, value = "1"): Promise<void> {
  await page.put(key, value);
  await cloud.sync();
}

it("devices sync with the key that the folder gives them, and others learn nothing", async () => {
  const one = await team.add("one");
  const two = await team.add("two");
  await put(one, "name", "Alice");
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ name: "Alice" });
  for (const file of team.folder.files()) {
    const bytes = readFileSync(join(team.path, file));
    for (const { own } of [one, two, { own: team.admin }])
      expect(bytes.includes(own.secret as string) || bytes.includes("Alice")).toBe(false);
  }
  expect(await team.devices.list()).toEqual([
    { key: expect.any(String), name: "admin", role: "admin" },
    { key: one.key, name: "one", role: "write" },
    { key: two.key, name: "two", role: "write" },
  ]);
});

it("a removed device cannot read new packs, and its own packs are refused", async () => {
  const one = await team.add("one");
  const lost = await team.add("lost");
  await put(one, "before", "1");
  await put(lost, "theirs", "1");
  await team.devices.remove("lost");
  const two = await team.add("two");
  await put(two, "after", "1");
  await expect(lost.cloud.sync()).rejects.toMatchObject({
    code: "WRONG_KEY",
    message: expect.stringContaining("was removed"),
  });
  await one.cloud.sync();
  for (const { page } of [one, two]) {
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ before: "1", theirs: "1", after: "1" });
  }
  expect(await contents(lost.page)).not.toHaveProperty("after");
});

it("a device that may only read gets all, uploads nothing, and says which page has changes of its own", async () => {
  const one = await team.add("one");
  const reader = await team.add("reader", "read");
  await put(one, "name", "Alice");
  const before = team.folder.files();
  expect(await reader.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(reader.page)).toEqual({ name: "Alice" });
  const last = await reader.page.lastSync();
  await reader.page.put("mine", "1");
  const unsent = [{ ledger: "test", id: reader.page.id, commits: 1, reason: "read-only" }];
  expect(await reader.cloud.sync()).toEqual({ waiting: 0, unsent });
  expect(reader.page.syncState).toEqual({ download: "idle", upload: "pending" });
  expect(await reader.page.lastSync()).toEqual(last);
  expect(team.folder.files()).toEqual(before);
  await put(one, "name", "Bob");
  expect(await reader.cloud.sync()).toEqual({ waiting: 0, unsent });
  await reader.page.waitForConflictResolution();
  expect(await reader.cloud.sync()).toEqual({ waiting: 0, unsent });
  expect(await contents(reader.page)).toEqual({ name: "Bob", mine: "1" });
  await team.devices.add({ key: reader.key, name: "reader", role: "write" });
  expect(await reader.cloud.sync()).toEqual({ waiting: 0 });
  expect(reader.page.syncState).toEqual({ download: "idle", upload: "idle" });
  await one.cloud.sync();
  expect(await contents(one.page)).toEqual({ name: "Bob", mine: "1" });
});

it("a device that may only read makes the merges of others, and is content", async () => {
  const [one, two] = [await team.add("one"), await team.add("two")];
  const reader = await team.add("reader", "read");
  await one.page.put("a", "1");
  await two.page.put("b", "1");
  for (const { cloud } of [one, two]) await cloud.sync();
  await reader.cloud.sync();
  await reader.page.waitForConflictResolution();
  expect(await reader.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(reader.page)).toEqual({ a: "1", b: "1" });
});

it("a device that had a commit before it knew of the removal brings it to the others", async () => {
  const one = await team.add("one");
  const lost = await team.add("lost");
  await put(lost, "late", "1");
  const [pack = ""] = team.folder.files("/packs/");
  await one.cloud.sync();
  // The admin's copy of the folder does not have the pack yet.
  const bytes = readFileSync(join(team.path, pack));
  writeFileSync(join(team.path, pack), "");
  await team.devices.remove("lost");
  writeFileSync(join(team.path, pack), bytes);
  const two = await team.add("two");
  expect(await two.cloud.sync()).toEqual({ waiting: 0, refused: 1 });
  expect(await contents(two.page)).toEqual({});
  await one.cloud.sync();
  expect(await two.cloud.sync()).toMatchObject({ waiting: 0 });
  expect(await contents(two.page)).toEqual({ late: "1" });
});

it("a pack that comes before the roster with its device is taken after it", async () => {
  const one = await team.add("one");
  await one.cloud.sync();
  const two = await team.add("two");
  await two.page.put("name", "Alice");
  await two.cloud.sync();
  const roster = join(team.path, "devices", two.own.roster);
  const bytes = readFileSync(roster);
  rmSync(roster);
  expect(await one.cloud.sync()).toEqual({ waiting: 0, refused: 1 });
  writeFileSync(roster, bytes);
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(await contents(one.page)).toEqual({ name: "Alice" });
});

it("packs join under the name of the device that joins them, and a new device reads all", async () => {
  const lost = await team.add("lost");
  for (let at = 0; at < MOST_PACKS; at++) await put(lost, `key${at}`);
  const one = await team.add("one");
  await one.cloud.sync();
  await team.devices.remove("lost");
  for (let at = 0; at < 3; at++) await put(one, `more${at}`);
  expect(team.folder.files("/packs/").length).toBeLessThan(MOST_PACKS);
  const two = await team.add("two");
  expect(await two.cloud.sync()).toEqual({ waiting: 0 });
  expect(Object.keys(await contents(two.page))).toHaveLength(MOST_PACKS + 3);
});

it("only an admin changes devices, and one stays", async () => {
  const one = await team.add("one");
  const theirs = folderDevices(team.path, one.own);
  const { key } = newDevice();
  await expect(theirs.add({ key, name: "new", role: "read" })).rejects.toMatchObject({
    code: "ILLEGAL_STATE",
  });
  await expect(team.devices.remove("admin")).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
  await expect(team.devices.remove("nobody")).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
  await expect(team.devices.add({ key, name: "one", role: "read" })).rejects.toMatchObject({
    code: "ILLEGAL_STATE",
  });
  await team.devices.remove(one.key);
  await expect(team.devices.add({ key: one.key, name: "back", role: "write" })).rejects.toMatchObject({
    message: expect.stringContaining("new key"),
  });
  const other = await team.add("other", "admin");
  await folderDevices(team.path, other.own).remove("admin");
  await expect(team.devices.list()).rejects.toMatchObject({ code: "WRONG_KEY" });
});

it("devices begin, are added and sync through a server", async () => {
  const path = temporaryFolder();
  await using server = await serveFiles(path, { token: "made-up-token-0123456789" });
  const store = httpStore(server.url, { token: "made-up-token-0123456789" });
  const [one, two] = [newDevice(), newDevice()];
  const first = await startDevices(store, { secret: one.secret, name: "one" });
  const devices = folderDevices(store, { secret: one.secret, roster: first });
  const roster = await devices.add({ key: two.key, name: "two", role: "write" });
  const pages = [];
  for (const device of [
    { secret: one.secret, roster: first },
    { secret: two.secret, roster },
  ]) {
    const { cloud, page } = await team.folder.add(pages.length, { device, store });
    pages.push(page);
    if (pages.length === 1) await page.put("name", "Alice");
    await cloud.sync();
  }
  expect(await contents(pages[1] as Page)).toEqual({ name: "Alice" });
});

it("wrong arguments are refused, without the secret", async () => {
  const { secret, key } = newDevice();
  const roster = "ab".repeat(32);
  for (const device of [
    { secret: secret.slice(2), roster },
    { secret, roster: "1" },
  ]) {
    const error = await Promise.resolve()
      .then(() => folderCloud(team.path, { device }))
      .catch((cause: Error) => cause.message);
    expect(error).toMatch(/64 hex digits/);
    expect(error).not.toContain(secret.slice(2));
  }
  expect(() => folderCloud(team.path, { device: { secret, roster }, key: "5f".repeat(32) })).toThrow(
    "a key or a device",
  );
  for (const entry of [
    { key: "00", name: "a" },
    { key, name: "" },
    { key, name: "a\nb" },
  ])
    await expect(team.devices.add({ ...entry, role: "read" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  for (const call of [
    () => startDevices(team.path, undefined as never),
    () => folderDevices(team.path, undefined as never).list(),
    () => team.devices.add(undefined as never),
    () => team.devices.remove(undefined as never),
  ])
    await expect((async () => call())()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("changes of devices that nobody awaits in between are made one after another", async () => {
  const keys = ["a", "b", "c"].map((name) => ({ key: newDevice().key, name, role: "read" as const }));
  const { devices } = team;
  await Promise.all(keys.map((entry) => devices.add(entry)));
  await Promise.all([devices.remove("a"), devices.remove("b")]);
  expect((await devices.list()).map(({ name }) => name)).toEqual(["admin", "c"]);
});

it("devices begin in an empty folder, and a folder without devices refuses one", async () => {
  const plain = new FolderDevices();
  onTestFinished(() => plain.remove());
  const { cloud } = await plain.add(1);
  await cloud.sync();
  const { secret } = newDevice();
  const start = (path: string) => startDevices(path, { secret, name: "one" });
  await expect(start(plain.path)).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
  await expect(start(team.path)).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
  const wrong = await plain.add(2, { device: team.admin });
  await expect(wrong.cloud.sync()).rejects.toMatchObject({ code: "WRONG_KEY" });
  const without = await team.folder.add(90, { key: "5f".repeat(32) });
  await expect(without.cloud.sync()).rejects.toMatchObject({
    code: "WRONG_KEY",
    message: expect.stringContaining("has devices"),
  });
  mkdirSync(join(plain.path, "empty"));
  const nowhere = await plain.add(3, { device: team.admin });
  await expect(nowhere.cloud.sync()).rejects.toMatchObject({ code: "WRONG_KEY" });
});

/** A place with a page that was synced with a folder without devices. */
async function fromElsewhere() {
  const plain = new FolderDevices();
  onTestFinished(() => plain.remove());
  const place = memoryPlace();
  const cloud = folderCloud(plain.path, { interval: 0 });
  await using ledger = await testLedger({ cloud }, place);
  await (await ledger.page(PAGE)).put("name", "Alice");
  await cloud.sync();
  return place;
}

it("a page that was synced with another folder goes to one with devices, and has lost nothing", async () => {
  const warn = vi.spyOn(process, "emitWarning");
  onTestFinished(() => warn.mockRestore());
  const place = await fromElsewhere();
  const moved = folderCloud(team.path, { interval: 0, device: team.admin });
  await using after = await testLedger({ cloud: moved }, place);
  await after.page(PAGE);
  for (let round = 0; round < 2; round++) expect(await moved.sync()).toEqual({ waiting: 0 });
  const one = await team.add("one");
  await one.cloud.sync();
  expect(await contents(one.page)).toEqual({ name: "Alice" });
  expect(warn).not.toHaveBeenCalled();
  for (const file of team.folder.files("/packs/")) rmSync(join(team.path, file));
  expect(await moved.sync()).toMatchObject({ waiting: 0, restored: expect.any(Number) });
  expect(warn).toHaveBeenCalledOnce();
});

it("a device brings the page of another folder once it may write", async () => {
  const { secret, key } = newDevice();
  const roster = await team.devices.add({ key, name: "reader", role: "read" });
  const cloud = folderCloud(team.path, { interval: 0, device: { secret, roster } });
  await using ledger = await testLedger({ cloud }, await fromElsewhere());
  const page = await ledger.page(PAGE);
  await cloud.sync();
  expect(team.folder.files("/packs/")).toEqual([]);
  await team.devices.add({ key, name: "reader", role: "write" });
  await page.put("more", "1");
  expect(await cloud.sync()).toEqual({ waiting: 0 });
  const one = await team.add("one");
  await one.cloud.sync();
  expect(await contents(one.page)).toEqual({ name: "Alice", more: "1" });
});

it("of devices that start in one folder at the same time, at most one has started", async () => {
  for (let round = 0; round < 5; round++) {
    const path = join(temporaryFolder(), "together");
    mkdirSync(path);
    const started = await Promise.allSettled(
      ["a", "b", "c"].map((name) => startDevices(path, { secret: newDevice().secret, name })),
    );
    const ids = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(ids.length).toBeLessThanOrEqual(1);
    expect(readdirSync(join(path, "devices")).filter((name) => /^[0-9a-f]{64}$/.test(name))).toEqual(ids);
    for (const one of started)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "ILLEGAL_STATE" });
    if (ids.length === 0) await startDevices(path, { secret: newDevice().secret, name: "a" });
  }
});
