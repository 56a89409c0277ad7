/** Trees that a device makes and that others bring to the folder too: nothing of them is left to send. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { folderCloud, memoryPlace, newDevice, type Place, pageIdBytes, verifyPage } from "../../src/index.js";
import { readPageState } from "../../src/storage/page-state.js";
import { PAGE, testLedger, ticking } from "../support.js";
import { Team } from "./team.js";

let team: Team;

beforeEach(async () => {
  team = await Team.start();
});
afterEach(() => team.remove());

/** A device that may only read, whose rows a test can look at. */
async function reader(place: Place, clock: bigint) {
  const { secret, key } = newDevice();
  const roster = await team.devices.add({ key, name: "reader", role: "read" });
  const cloud = folderCloud(team.path, { interval: 0, device: { secret, roster } });
  const ledger = await testLedger({ cloud, clock: ticking(clock) }, place);
  return { cloud, ledger, page: await ledger.page(PAGE) };
}

/** Returns whether all of the closed page is in the folder, and the messages of its findings. */
async function stateOf(place: Place): Promise<readonly [boolean, readonly string[]]> {
  const engine = await place.openPage("test", pageIdBytes(PAGE), { create: false });
  if (engine === undefined) throw new Error("the page is missing");
  const findings: string[] = [];
  for await (const { message } of verifyPage(engine)) findings.push(message);
  const { synced } = await readPageState(engine);
  await engine.close();
  return [synced, findings];
}

it("the merge of a device that may only read is in the folder once others have made it", async () => {
  const [one, two] = [await team.add("one"), await team.add("two")];
  const place = memoryPlace();
  const { ledger, cloud, page } = await reader(place, 5000n);
  for (const [device, key] of [
    [one, "a"],
    [two, "b"],
  ] as const)
    for (let at = 0; at < 300; at++) void device.page.put(`${key}${at}`, `${key} `.repeat(40));
  for (const device of [one, two]) await device.cloud.sync();
  await cloud.sync();
  await page.waitForConflictResolution();
  await one.cloud.sync();
  await one.page.waitForConflictResolution();
  await one.cloud.sync();
  await cloud.sync();
  expect(await page.heads()).toEqual(await one.page.heads());
  await ledger.close();
  expect(await stateOf(place)).toEqual([true, []]);
});

it("a state that a device has made too is in the folder, also if it is not the newest", async () => {
  const one = await team.add("one");
  const place = memoryPlace();
  const { ledger, cloud, page } = await reader(place, 5000n);
  const large = new TextEncoder().encode("large ".repeat(40_000));
  for (const here of [one.page, page]) {
    await here.put("large", large);
    await here.put("later", large.subarray(1), { priority: "lazy" });
  }
  await one.page.put("next", "1");
  await one.cloud.sync();
  expect(await cloud.sync()).toMatchObject({ unsent: [{ commits: 2 }] });
  await ledger.close();
  const [synced, findings] = await stateOf(place);
  expect([synced, findings]).toEqual([false, []]); // the two commits wait
});
