/** Transactions whose values do not all stay in memory until the commit. */
import { expect, it } from "vitest";
import { memoryPlace } from "../../src/index.js";
import { Counts, countedPlace } from "../storage/counted.js";
import { readTidied } from "../stored.js";
import { contents, testLedger } from "../support.js";

const VALUES = 600;

/** The value of 4 KiB at a key: all differ. */
function value(at: number): Uint8Array {
  return new Uint8Array(4096).fill(at & 0xff).fill(at >> 8, 0, 100);
}

it("values beyond a MiB are stored many at a time", async () => {
  const counts = new Counts();
  await using ledger = await testLedger({}, countedPlace(memoryPlace(), counts));
  await using page = await ledger.rootPage();
  counts.writes.length = 0;
  await page.transaction(async (transaction) => {
    for (let at = 0; at < VALUES; at++) await transaction.put(`key${at}`, value(at));
    // 600 values have 2.4 MB: two writes before the commit.
    expect(counts.writes).toHaveLength(2);
  });
  for (const at of [0, 255, 256, 599]) expect(await page.get(`key${at}`)).toEqual(value(at));
  expect(Object.keys(await contents(page))).toHaveLength(VALUES);
});

it("a rollback leaves nothing of values that were stored before it", async () => {
  const place = memoryPlace();
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  await page.put("before", "1");
  await expect(
    page.transaction(async (transaction) => {
      for (let at = 0; at < VALUES; at++) await transaction.put(`key${at}`, value(at));
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await contents(page)).toEqual({ before: "1" });
  await ledger.close();
  expect((await readTidied(place)).pieces.size).toBe(1); // the root
});
