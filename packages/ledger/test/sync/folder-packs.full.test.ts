/** The number of packs in a folder: it stays small, and no record is lost on the way. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { MOST_PACKS } from "../../src/sync/folder/compaction.js";
import { SharedFolder } from "../../src/sync/folder/shared-folder.js";
import { contents } from "../support.js";
import { allStates, type Device, FolderDevices, killAfter } from "./folder-devices.js";

const devices = new FolderDevices();

afterEach(async () => {
  vi.restoreAllMocks();
  await devices.remove();
});

/** Puts entries, and syncs after each. */
async function putApart({ page, cloud }: Device, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await page.put(`key${at % 7}`, `${at} `.repeat(30));
    await cloud.sync();
  }
}

function packs(): string[] {
  return devices.files("/packs/");
}

/** Expects that a new device sees so many commits, and the state of each. */
async function expectAll(commits: number): Promise<void> {
  const reader = await devices.add(99);
  expect(await reader.cloud.sync()).toEqual({ waiting: 0 });
  const states = await allStates(reader.page);
  // The first commit of every page is empty.
  expect(states).toHaveLength(commits + 1);
  for (const [before, state] of states.slice(0, -1).entries()) {
    const at = commits - 1 - before;
    expect(state[`key${at % 7}`]).toBe(`${at} `.repeat(30));
  }
  await reader.ledger.close();
}

it("a sync adds one pack, however many commits it brings", async () => {
  const one = await devices.add(1);
  for (let at = 0; at < 160; at++) await one.page.put(`key${at % 7}`, `${at} `.repeat(30));
  await one.cloud.sync();
  const [pack = "", ...others] = packs();
  expect(others).toEqual([]);
  expect(statSync(join(devices.path, pack)).size).toBeLessThan(60_000);
  await expectAll(160);
});

it("packs join when they are many, and a sync with nothing to do does not grow with commits", async () => {
  const one = await devices.add(1);
  const two = await devices.add(2);
  for (let from = 0; from < 120; from += 20) {
    await putApart(one, from, from + 20);
    await two.cloud.sync();
    // For one sync, a joined pack lies beside the packs that it replaces.
    expect(packs().length).toBeLessThanOrEqual(MOST_PACKS + 2);
  }
  expect(await contents(two.page)).toEqual(await contents(one.page));
  await expectAll(120);
  const read = vi.spyOn(SharedFolder.prototype, "read");
  const names = vi.spyOn(SharedFolder.prototype, "list");
  await one.cloud.sync();
  expect(read.mock.calls.length).toBeLessThan(5);
  expect(names.mock.calls.length).toBeLessThan(10);
});

it("nothing is lost wherever a device is killed while packs join and are removed", async () => {
  const one = await devices.add(1);
  await putApart(one, 0, MOST_PACKS);
  const base = mkdtempSync(join(tmpdir(), "merostore-packs-"));
  cpSync(devices.path, base, { recursive: true });
  try {
    for (let steps = 0; ; steps += 3) {
      rmSync(devices.path, { recursive: true });
      cpSync(base, devices.path, { recursive: true });
      const two = await devices.add(2);
      await two.cloud.sync();
      const isKilled = killAfter(steps);
      await two.page.put(`key${MOST_PACKS % 7}`, `${MOST_PACKS} `.repeat(30));
      for (let syncs = 0; syncs < 3; syncs++) await two.cloud.sync().catch(() => undefined);
      await two.ledger.close();
      vi.restoreAllMocks();
      // The commit that the device made is in the folder unless its pack was not written.
      await expectAll(MOST_PACKS + (steps === 0 ? 0 : 1));
      if (!isKilled()) break;
      expect(steps).toBeLessThan(100);
    }
    expect(packs()).toHaveLength(1);
  } finally {
    rmSync(base, { recursive: true });
  }
});

it("two devices that join packs at once lose nothing", async () => {
  const one = await devices.add(1);
  const two = await devices.add(2);
  await putApart(one, 0, MOST_PACKS);
  await two.cloud.sync();
  // Each of them uploads a commit, and joins all packs.
  await one.page.put(`key${MOST_PACKS % 7}`, `${MOST_PACKS} `.repeat(30));
  await two.page.put("other", "1");
  await Promise.all([one.cloud.sync(), two.cloud.sync()]);
  for (let round = 0; round < 4; round++) await Promise.all([one.cloud.sync(), two.cloud.sync()]);
  expect(packs().length).toBeLessThanOrEqual(MOST_PACKS);
  const reader = await devices.add(3);
  expect(await reader.cloud.sync()).toEqual({ waiting: 0 });
  await reader.page.waitForConflictResolution();
  expect(await contents(reader.page)).toMatchObject({ other: "1", key3: `${MOST_PACKS} `.repeat(30) });
  expect((await allStates(reader.page)).length).toBeGreaterThanOrEqual(MOST_PACKS + 3);
});

it("a damaged pack is neither replaced nor removed", async () => {
  const one = await devices.add(1);
  await putApart(one, 0, 10);
  const [name = ""] = packs();
  const bytes = Uint8Array.from(readFileSync(join(devices.path, name)));
  bytes.set([1, 2, 3], bytes.length - 20);
  writeFileSync(join(devices.path, name), bytes);
  await one.ledger.close();
  const two = await devices.add(2);
  await two.cloud.sync();
  await putApart(two, 10, 60);
  expect(Uint8Array.from(readFileSync(join(devices.path, name)))).toEqual(bytes);
  expect(packs().length).toBeLessThanOrEqual(MOST_PACKS + 2);
});
