/** The head that a page with several heads shows, after it was closed and opened again. */
import { expect, it } from "vitest";
import { memoryPlace } from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { contents, testLedger, ticking } from "../support.js";
import { Courier } from "../sync/courier.js";

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
