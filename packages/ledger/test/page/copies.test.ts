/** Bytes that a page gives out are the caller's: overwriting them does not change the page. */
import { expect, it } from "vitest";
import { type Ledger, MemoryCloud, type Page } from "../../src/index.js";
import { diverge } from "../merging/support.js";
import { contents, shown, testLedger, twoPagesTest } from "../support.js";

const long = "l".repeat(100);
const stored = { long, name: "Alice" };

async function filled(ledger: Ledger): Promise<Page> {
  const page = await ledger.rootPage();
  await page.put("name", "Alice");
  await page.put("long", long);
  return page;
}

/** The page remembers the stored values, and so does the next commit. */
async function expectUntouched(page: Page): Promise<void> {
  expect(await contents(page)).toEqual(stored);
  await page.put("next", "1");
  expect(await contents(page)).toEqual({ ...stored, next: "1" });
}

it("values that get, getPartial and stream gave", async () => {
  await using ledger = await testLedger();
  await using page = await filled(ledger);
  await using snapshot = await page.snapshot();
  for (const key of ["name", "long"]) {
    (await snapshot.get(key))?.fill(0);
    (await snapshot.getPartial(key, 0, -1))?.fill(0);
    for await (const chunk of snapshot.stream(key)) chunk.fill(0);
  }
  await expectUntouched(page);
});

it("keys and values of scans", async () => {
  await using ledger = await testLedger();
  await using page = await filled(ledger);
  await using snapshot = await page.snapshot();
  for (let round = 0; round < 2; round++) {
    for await (const { key, value } of snapshot.entries()) {
      key.fill(0);
      value?.fill(0);
    }
    for await (const key of snapshot.keys()) key.fill(0);
  }
  snapshot.commitId.fill(0);
  await expectUntouched(page);
});

twoPagesTest("keys and values of changes", async ([page, watched]) => {
  using watcher = await watched.watch({}, ({ changed }) => {
    for (const { key, value } of changed) {
      key.fill(0);
      value?.fill(0);
    }
  });
  await page.transaction(async (transaction) => {
    await transaction.put("name", "Alice");
    await transaction.put("long", long);
  });
  await watcher.idle();
  await expectUntouched(page);
});

it("keys and values of conflicts", async () => {
  await using ledger = await testLedger();
  ledger.setConflictResolver(() => ({
    policy: "custom",
    async resolve(conflict) {
      for await (const { key, newer, older } of conflict.differences()) {
        for (const entry of [newer, older]) {
          entry?.key.fill(0);
          entry?.value?.fill(0);
        }
        key.fill(0);
      }
      await conflict.mergeNonConflicting();
    },
  }));
  const [page] = await diverge(ledger, { name: "Alice" }, { long });
  await page.waitForConflictResolution();
  await expectUntouched(page);
});

it("values that were fetched", async () => {
  const cloud = new MemoryCloud();
  await using first = await testLedger({ cloud });
  await using second = await testLedger({ cloud });
  await using third = await testLedger({ cloud });
  await using page = await first.rootPage();
  await page.put("name", long, { priority: "lazy" });
  await using other = await second.rootPage();
  await using another = await third.rootPage();
  await cloud.idle();
  await using snapshot = await other.snapshot();
  (await snapshot.get("name", { fetch: true }))?.fill(0);
  expect(await shown(other)).toEqual([["name", long]]);
  await using late = await another.snapshot();
  await late.get("name", { fetch: true });
  expect(await shown(another)).toEqual([["name", long]]);
});
