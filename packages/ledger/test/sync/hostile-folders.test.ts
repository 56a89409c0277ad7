/** A folder with devices whose files somebody adds, changes, exchanges, removes or puts back. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { concat, fromHex, sha256, toHex } from "merostore/internal";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import {
  type FolderDevice,
  folderCloud,
  folderDevices,
  memoryPlace,
  newDevice,
  ROOT_PAGE_ID,
} from "../../src/index.js";
import { OwnDevice } from "../../src/sync/devices/device.js";
import { FolderRosters } from "../../src/sync/devices/folder-rosters.js";
import { encodeRoster, type Roster, type SealedEntry } from "../../src/sync/devices/roster.js";
import { packBytes } from "../../src/sync/folder/pack-format.js";
import { FolderKeys } from "../../src/sync/folder/sealed-files.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { contents, PAGE, testLedger } from "../support.js";
import { Team } from "./team.js";

let team: Team;

beforeEach(async () => {
  team = await Team.start();
});
afterEach(() => team.remove());

const at = (file: string) => join(team.path, file);
const rosters = () => team.folder.files("devices/");
const packs = () => team.folder.files("/packs/");

/** A copy of the present folder, from which a test can restore files. */
function copied(): string {
  const path = mkdtempSync(join(tmpdir(), "merostore-copy-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  cpSync(team.path, path, { recursive: true });
  return path;
}

/** The rosters of the folder, as a device reads them. */
async function read(device: FolderDevice): Promise<FolderRosters> {
  const found = FolderRosters.of(new SharedFolder(team.path), device);
  await found.load();
  return found;
}

/** Writes a roster after the newest one, signed by a device without regard to its rights. Returns its file. */
async function forge(device: FolderDevice, change: (newest: Roster) => Partial<Roster>): Promise<string> {
  const { newest } = (await read(device)).chain;
  const { id: previous, number, older: _older, kept: _kept, ...rest } = newest;
  const own = new OwnDevice(device.secret);
  const content = { ...rest, number: number + 1, previous, signer: own.key, ...change(newest) };
  const { id, bytes } = encodeRoster(own, content);
  writeFileSync(at(`devices/${id}`), bytes);
  return id;
}

/** Writes a pack for the page with the keys of `holder`, signed by `signer` in the name of `writer`. */
async function write(holder: FolderDevice, signer: string | Uint8Array, writer: string): Promise<void> {
  const { secrets } = await read(holder);
  const own = new OwnDevice(signer);
  const sign = (id: Uint8Array) => own.sign(concat(new TextEncoder().encode("merostore ledger pack "), id));
  const rights = { secrets, sign, writer: fromHex(writer), accepts: () => true };
  const sealed = new FolderKeys(rights).page("test", fromHex(PAGE as string));
  const name = toHex(crypto.getRandomValues(new Uint8Array(20)));
  const bytes = await packBytes(sealed, name, { replaces: [], commits: [new Uint8Array(9)], pieces: [] });
  await new SharedFolder(team.path).write(`${sealed.folder}/packs/${name}`, bytes);
}

it("packs of a device that was removed, may only read, or was never there are refused", async () => {
  const one = await team.add("one");
  const [lost, lowered] = [await team.add("lost"), await team.add("lowered")];
  const before = copied();
  await team.devices.remove("lost");
  await team.devices.add({ key: lowered.key, name: "lowered", role: "read" });
  const newest = rosters();
  // Both use the folder as it was before, and have the key of that time.
  for (const [number, { own }] of [lost, lowered].entries()) {
    const cloud = folderCloud(before, { interval: 0, device: own });
    await using ledger = await testLedger({ cloud });
    await (await ledger.page(PAGE)).put(`forged${number}`, "1");
    await cloud.sync();
  }
  cpSync(before, team.path, { recursive: true });
  expect(rosters()).toEqual(newest);
  const reader = await team.add("reader", "read");
  const foreign = newDevice();
  await write(reader.own, reader.own.secret, reader.key);
  await write(reader.own, foreign.secret, foreign.key);
  await write(reader.own, reader.own.secret, one.key);
  expect(await one.cloud.sync()).toEqual({ waiting: 0, refused: 5 });
  expect(await contents(one.page)).toEqual({});
  expect(one.page.syncState).toEqual({ download: "idle", upload: "idle" });
  await one.page.put("name", "Alice");
  await one.cloud.sync();
  const two = await team.add("two");
  expect(await two.cloud.sync()).toEqual({ waiting: 0, refused: 5 });
  expect(await contents(two.page)).toEqual({ name: "Alice" });
});

it("packs that are exchanged or written over are not taken, and come again", async () => {
  const [one, lost] = [await team.add("one"), await team.add("lost")];
  const two = await team.add("two");
  for (const [number, member] of [one, lost].entries()) {
    await member.page.put(`key${number}`, "1");
    await member.cloud.sync();
  }
  await one.cloud.sync();
  await team.devices.remove("lost");
  await one.page.put("key2", "1");
  await one.cloud.sync();
  const [first = "", second = "", third = ""] = packs();
  const moved = readFileSync(at(first));
  cpSync(at(second), at(first));
  cpSync(at(third), at(second));
  writeFileSync(at(third), moved);
  expect(await two.cloud.sync()).toEqual({ waiting: 0, refused: 3 });
  expect(await contents(two.page)).toEqual({});
  await one.page.put("key3", "1");
  for (let round = 0; round < 3; round++) for (const { cloud } of [one, two]) await cloud.sync();
  await two.page.waitForConflictResolution();
  expect(await contents(two.page)).toEqual({ key0: "1", key1: "1", key2: "1", key3: "1" });
});

it("a folder that goes back to older rosters is refused, also after a restart", async () => {
  const { secret, key } = newDevice();
  const own = { secret, roster: await team.devices.add({ key, name: "own", role: "write" }) };
  const before = copied();
  await team.add("later");
  const place = memoryPlace();
  for (const path of [team.path, before]) {
    const cloud = folderCloud(path, { interval: 0, device: own });
    await using ledger = await testLedger({ cloud }, place);
    const page = await ledger.page(PAGE);
    if (path === team.path) {
      await page.put("name", "Alice");
      await cloud.sync();
      continue;
    }
    await page.put("secret", "1");
    await expect(cloud.sync()).rejects.toMatchObject({
      code: "NETWORK_ERROR",
      message: expect.stringContaining("an older state"),
    });
    expect(page.syncState.upload).toBe("pending");
  }
});

it("no device takes a folder without the roster that it was told", async () => {
  const one = await team.add("one");
  const other = await Team.start();
  onTestFinished(() => other.remove());
  const secret = one.own.secret;
  await other.devices.add({ key: one.key, name: "one", role: "write" });
  const elsewhere = await other.open(one.own);
  await expect(elsewhere.cloud.sync()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  const foreign = await team.open({ secret: newDevice().secret, roster: one.own.roster });
  await expect(foreign.cloud.sync()).rejects.toMatchObject({
    code: "WRONG_KEY",
    message: expect.stringContaining("must add it"),
  });
  // A chain that was cut before that roster, or that has a gap.
  for (const file of rosters()) {
    const bytes = readFileSync(at(file));
    for (const state of [undefined, bytes.subarray(0, 100)]) {
      rmSync(at(file));
      if (state !== undefined) writeFileSync(at(file), state);
      const again = await team.open({ secret, roster: one.own.roster });
      await expect(again.cloud.sync()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
      writeFileSync(at(file), bytes);
    }
  }
  rmSync(at("devices"), { recursive: true });
  const again = await team.open({ secret, roster: one.own.roster });
  await expect(again.cloud.sync()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  rmSync(at("merostore-ledger.json"));
  await expect(again.cloud.restore()).rejects.toMatchObject({ code: "NETWORK_ERROR" });
});

it("a mark that says the folder has no devices is not believed", async () => {
  const one = await team.add("one");
  const mark = JSON.parse(readFileSync(at("merostore-ledger.json"), "utf8")) as object;
  writeFileSync(at("merostore-ledger.json"), JSON.stringify({ ...mark, version: 2 }));
  await expect(one.cloud.sync()).rejects.toMatchObject({ code: "WRONG_KEY" });
});

it("rosters that no admin has signed change nothing", async () => {
  const one = await team.add("one");
  const own = { key: one.key, name: "one", role: "admin", secret: "" } as const;
  const raised = ({ devices }: Roster): SealedEntry[] =>
    devices.map((device) => (device.key === one.key ? { ...device, role: "admin" } : device));
  const admin = new OwnDevice(team.admin.secret).key;
  await forge(one.own, (newest) => ({ devices: raised(newest) }));
  await forge(one.own, (newest) => ({ devices: raised(newest), signer: admin }));
  await forge(one.own, () => ({ devices: [own], number: 1, previous: "", epoch: 1 }));
  // A file with an edited role, under its right id.
  const [newest = ""] = rosters().filter((file) => file.endsWith(one.own.roster));
  const edited = Buffer.from(readFileSync(at(newest), "utf8").replace('"write"', '"admin"'));
  writeFileSync(at(`devices/${toHex(sha256(edited))}`), edited);
  expect((await read(one.own)).chain.newest.id).toBe(one.own.roster);
  await one.cloud.sync();
  await expect(
    folderDevices(team.path, one.own).add({ key: newDevice().key, name: "new", role: "read" }),
  ).rejects.toMatchObject({ message: expect.stringContaining("only an admin") });
});

it.each<[string, (newest: Roster, removed: string) => Partial<Roster>]>([
  ["removes a device and keeps the key", ({ devices }) => ({ devices: devices.slice(0, 1) })],
  ["leaves out a number", ({ number }) => ({ number: number + 2 })],
  [
    "brings a removed device back",
    ({ devices }, key) => ({
      devices: [...devices, { key, name: "back", role: "write", secret: "" }],
    }),
  ],
  ["has no admin", ({ devices }) => ({ devices: devices.map((one) => ({ ...one, role: "read" })) })],
  ["has a device twice", ({ devices }) => ({ devices: [...devices, ...devices] })],
  [
    "has a role that is none",
    ({ devices }) => ({
      devices: devices.map((one, index) => (index === 0 ? one : { ...one, role: "owner" as "admin" })),
    }),
  ],
])("a roster of an admin that %s is none", async (_, change) => {
  const lost = await team.add("lost");
  await team.devices.remove("lost");
  await team.add("one");
  const { newest } = (await read(team.admin)).chain;
  await forge(team.admin, (before) => change(before, lost.key));
  expect((await read(team.admin)).chain.newest.id).toBe(newest.id);
});

it("two admins that change devices apart stop the folder until one of the files is removed", async () => {
  const second = await team.add("second", "admin");
  const one = await team.add("one");
  await one.cloud.sync();
  const before = copied();
  const [here, there] = [newDevice(), newDevice()];
  const kept = await team.devices.add({ key: here.key, name: "here", role: "write" });
  const apart = await folderDevices(before, second.own).add({ key: there.key, name: "there", role: "write" });
  cpSync(before, team.path, { recursive: true });
  await expect(one.cloud.sync()).rejects.toMatchObject({
    code: "ILLEGAL_STATE",
    message: expect.stringMatching(new RegExp(`(${kept}.*${apart})|(${apart}.*${kept})`)),
  });
  rmSync(at(`devices/${apart}`));
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(one.cloud.roster).toBe(kept);
});

it("two pages that have seen different rosters do not sync together", async () => {
  const second = await team.add("second", "admin");
  const { secret, key } = newDevice();
  const own = { secret, roster: await team.devices.add({ key, name: "own", role: "write" }) };
  const before = copied();
  await team.devices.add({ key: newDevice().key, name: "here", role: "write" });
  const apart = folderDevices(before, { ...second.own, roster: own.roster });
  await apart.add({ key: newDevice().key, name: "there", role: "write" });
  const place = memoryPlace();
  for (const [path, id] of [
    [team.path, PAGE],
    [before, ROOT_PAGE_ID],
  ] as const) {
    const cloud = folderCloud(path, { interval: 0, device: own });
    await using ledger = await testLedger({ cloud }, place);
    await (await ledger.page(id)).put("name", "Alice");
    await cloud.sync();
  }
  cpSync(before, team.path, { recursive: true });
  const cloud = folderCloud(team.path, { interval: 0, device: own });
  await using ledger = await testLedger({ cloud }, place);
  for (const id of [PAGE, ROOT_PAGE_ID]) await ledger.page(id);
  await expect(cloud.sync()).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
});

it("two admins that change devices at the same time do not leave two rosters", async () => {
  const second = await team.add("second", "admin");
  const changes = [team.devices, folderDevices(team.path, second.own)].map((devices, number) =>
    devices.add({ key: newDevice().key, name: `new${number}`, role: "write" }),
  );
  const results = await Promise.allSettled(changes);
  const made = results.filter(({ status }) => status === "fulfilled");
  expect(made.length).toBeLessThanOrEqual(1);
  expect(await team.devices.list()).toHaveLength(2 + made.length);
});

it("an admin that was removed cannot take the folder over with another history", async () => {
  const second = await team.add("second", "admin");
  const one = await team.add("one");
  await one.cloud.sync();
  const before = copied();
  await team.devices.remove("second");
  await one.cloud.sync();
  const { newest } = (await read(one.own)).chain;
  await folderDevices(before, second.own).remove("admin");
  cpSync(before, team.path, { recursive: true });
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
  expect(one.cloud.roster).toBe(newest.id);
  const told = { ...team.admin, roster: newest.id };
  expect((await read(told)).chain.newest.id).toBe(newest.id);
  await expect(read(team.admin)).rejects.toMatchObject({ code: "ILLEGAL_STATE" });
});

it("foreign files among the rosters do not stop the folder", async () => {
  const one = await team.add("one");
  for (let number = 0; number < 50; number++) {
    const bytes = Buffer.from(`{"format":"merostore ledger devices","number":${number}}\n`);
    writeFileSync(at(`devices/${toHex(sha256(bytes))}`), bytes);
    writeFileSync(at(`devices/${toHex(sha256(bytes, bytes))}`), "{");
    writeFileSync(at(`devices/.${number}.tmp`), "");
  }
  expect(await one.cloud.sync()).toEqual({ waiting: 0 });
});

it("rosters that nobody needs keep new ones out only as long as they are there", async () => {
  const one = await team.add("one");
  const own = new OwnDevice(one.own.secret);
  const packs = Array.from({ length: 3_800 }, (_, pack) => pack.toString(16).padStart(64, "0"));
  const previous = "ab".repeat(32);
  // More than a device remembers.
  const ids = Array.from({ length: 270 }, (_, place) => {
    const devices = [{ key: own.key, name: `${place}`, role: "admin", secret: "" }] as const;
    const kept = { key: own.key, packs };
    const made = encodeRoster(own, { number: 9, previous, epoch: 1, signer: own.key, devices, kept });
    writeFileSync(at(`devices/${made.id}`), made.bytes);
    return made.id;
  });
  await one.cloud.sync();
  for (const id of ids) rmSync(at(`devices/${id}`));
  const roster = await team.devices.add({ key: newDevice().key, name: "new", role: "read" });
  await one.cloud.sync();
  expect(one.cloud.roster).toBe(roster);
});
