/** The difference between two commits of a page. */

import { toHex } from "merostore/internal";
import { beforeEach, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import { type EntryDifference, type Ledger, memoryPlace, type Page } from "../../src/index.js";
import { headOf, testLedger, text } from "../support.js";

const FIRST = "00".repeat(32);
let ledger: Ledger;
let page: Page;
beforeEach(async () => {
  ledger = await testLedger({ history: "keep" }, memoryPlace());
  page = await ledger.rootPage();
});

/** Each difference as a line of text. */
async function lines(differences: AsyncIterable<EntryDifference>): Promise<string[]> {
  const found: string[] = [];
  for await (const { key, before, after } of differences) {
    const [one, other] = [before, after].map((version) => version && text(version.value.digest.subarray(1)));
    found.push(`${text(key)}: ${one} → ${other}`);
  }
  return found;
}

it("has added, changed and deleted entries in the order of their keys, from either side", async () => {
  await page.put("a", "1");
  await page.put("c", "3");
  const before = await headOf(page);
  await page.transaction(async (tx) => {
    await tx.put("a", "2");
    await tx.delete("c");
    await tx.put("b", "4", { priority: "lazy" });
  });
  const after = toHex(await headOf(page));
  expect(await lines(page.diff(before, after))).toEqual(["a: 1 → 2", "b: undefined → 4", "c: 3 → undefined"]);
  expect(await lines(page.diff(after, before))).toEqual(["a: 2 → 1", "b: 4 → undefined", "c: undefined → 3"]);
  expect(await lines(page.diff(FIRST, before, { prefix: "c" }))).toEqual(["c: undefined → 3"]);
  expect(await lines(page.diff(after, after))).toEqual([]);
  const priorities: unknown[] = [];
  for await (const difference of page.diff(before, after)) priorities.push(difference.after?.priority);
  expect(priorities).toEqual(["eager", "lazy", undefined]);
  await ledger.close();
});

it("gives copies, and ends with the connection", async () => {
  for (const key of ["a", "b", "c"]) await page.put(key, key);
  const head = await headOf(page);
  for await (const { key, after } of page.diff(FIRST, head)) {
    key.fill(0);
    after?.value.digest.fill(0);
  }
  const differences = page.diff(FIRST, head);
  expect(text((await differences.next()).value?.key as Uint8Array)).toBe("a");
  await page.close();
  await rejection(differences.next(), "CLOSED");
  await ledger.close();
});

it("keeps its commits until it ends, and does not know others", async () => {
  await ledger.close();
  ledger = await testLedger({}, memoryPlace());
  page = await ledger.rootPage();
  await page.put("a", "1");
  const before = await headOf(page);
  await page.transaction(async (tx) => {
    for (const key of ["b", "c"]) await tx.put(key, key.repeat(100));
  });
  const differences = page.diff(before, await headOf(page));
  await differences.next();
  for (let at = 0; at < 70; at++) await page.put("a", `${at}`);
  expect(text((await differences.next()).value?.key as Uint8Array)).toBe("c");
  expect((await differences.next()).done).toBe(true);
  await rejection(page.diff(before, "5f".repeat(32)).next(), "COMMIT_NOT_FOUND");
  await rejection(page.diff(before, "5f").next(), "INVALID_ARGUMENT");
  await rejection(page.diff(before, before, { prefix: 7 } as never).next(), "INVALID_ARGUMENT");
  await ledger.close();
});
