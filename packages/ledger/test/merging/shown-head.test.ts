/** The head that a page with several heads shows, after it was closed and opened again. */
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { folderCloud, memoryPlace, type Place } from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { contents, testLedger, ticking, twoOf } from "../support.js";
import { Courier } from "../sync/courier.js";
import { divergeOn } from "./support.js";

/** A device whose conflicts nobody resolves. */
async function device(cloud: Courier, start: bigint, place = memoryPlace()) {
  const ledger = await testLedger({ cloud, clock: ticking(start) }, place);
  // A page without a policy merges nothing.
  ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))();
  return { ledger, page: await ledger.rootPage(), cloud, place };
}

it.each([
  ["the older", 1n, 1000n],
  ["the newer", 1000n, 1n],
])("is the device's own, which is %s one", async (_, own, other) => {
  const [here, there] = Courier.network(2) as [Courier, Courier];
  const [one, two] = [await device(here, own), await device(there, other)];
  await one.page.put("name", "Alice");
  await two.page.put("name", "Bob");
  await here.bring(there);
  expect(await contents(one.page)).toEqual({ name: "Alice" });
  await one.ledger.close();
  const again = await device(here, 2000n, one.place);
  expect(await contents(again.page)).toEqual({ name: "Alice" });
  await again.page.put("city", "Paris");
  await again.ledger.close();
  const last = await device(here, 3000n, one.place);
  expect(await contents(last.page)).toEqual({ name: "Alice", city: "Paris" });
  last.ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
  await last.page.waitForConflictResolution();
  await last.ledger.close();
  await two.ledger.close();
  // Nothing is left of it once there is one head.
  const stored = await readStored(one.place);
  expect(rowsOf(stored, "sync-metadata")).toEqual([]);
  expect(faultsOf(stored)).toEqual([]);
});

/** A device with a folder, which merges nothing. */
async function unresolved(path: string, place: Place, start: bigint): Promise<void> {
  const cloud = folderCloud(path, { interval: 0 });
  await using ledger = await testLedger({ cloud, clock: ticking(start) }, place);
  ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))();
  await ledger.rootPage();
  await cloud.sync();
}

it("is the merge of all heads if others have made them as merges, before it is stored", async () => {
  using folder = temporaryFolder();
  for (const [at, name] of ["left", "right"].entries()) {
    const place = memoryPlace();
    {
      await using ledger = await testLedger(
        { clock: ticking(BigInt(1000 * at + 1)), history: "keep" },
        place,
      );
      const pages = await twoOf(ledger);
      await divergeOn(pages, { [`${name} 1`]: "1" }, { [`${name} 2`]: "2" });
      await pages[0].waitForConflictResolution();
    }
    await unresolved(folder.path, place, 5000n);
  }
  const place = memoryPlace();
  await unresolved(folder.path, place, 6000n);
  await using ledger = await testLedger({ clock: ticking(7000n), history: "keep" }, place);
  await using page = await ledger.rootPage();
  const all = { "left 1": "1", "left 2": "2", "right 1": "1", "right 2": "2" };
  expect(await contents(page)).toEqual(all);
  await page.waitForConflictResolution();
  expect(await contents(page)).toEqual(all);
});

it("is the merge of all heads also just after an opening with a folder, without an interval", async () => {
  using folder = temporaryFolder();
  const places = [memoryPlace(), memoryPlace()];
  for (const [at, place] of places.entries()) {
    const cloud = folderCloud(folder.path, { interval: 0 });
    await using ledger = await testLedger({ cloud, clock: ticking(BigInt(1000 * at + 1)) }, place);
    ledger.setConflictResolver(() => ({ policy: "last-one-wins" }))();
    const page = await ledger.rootPage();
    await page.put(`key ${at}`, "1");
    await cloud.sync();
  }
  await using ledger = await testLedger(
    { cloud: folderCloud(folder.path, { interval: 0 }), clock: ticking(5000n) },
    places[1],
  );
  await using page = await ledger.rootPage();
  expect(await contents(page)).toEqual({ "key 0": "1", "key 1": "1" });
});
