/** The pages of a ledger are made, listed, marked as used, and removed. */
import { expect, it } from "vitest";
import { rejection } from "../../../test/support/rejection.js";
import { ROOT_PAGE_ID } from "../src/index.js";
import { contents, PAGE, pageTest, testLedger } from "./support.js";

it("a missing page that is not to be made stays missing, and is not marked as used", async () => {
  await using ledger = await testLedger();
  await rejection(ledger.page(PAGE, { create: false }), "PAGE_NOT_FOUND");
  await rejection(ledger.rootPage({ create: false }), "PAGE_NOT_FOUND");
  expect(await ledger.pages()).toEqual([]);
  expect(await ledger.usage()).toEqual([]);
  // Another caller creates the page at the same time, and gets it.
  const [missing, made] = await Promise.allSettled([ledger.page(PAGE, { create: false }), ledger.page(PAGE)]);
  expect([missing.status, made.status]).toEqual(["rejected", "fulfilled"]);
  expect(await ledger.usage()).toMatchObject([{ closedAt: undefined }]);
});

it("ClearPage: put, clear, close, and the page is gone", async () => {
  await using ledger = await testLedger();
  const page = await ledger.page(PAGE);
  await page.put("name", "Alice");
  await page.clear();
  expect(await ledger.pages()).toHaveLength(1);
  await page.close();
  expect(await ledger.pages()).toEqual([]);
  expect(await ledger.usage()).toEqual([]);
});

pageTest(
  "a page with entries stays, in use as long as a connection or a snapshot is open",
  async (page, ledger) => {
    await page.put("name", "Alice");
    const snapshot = await page.snapshot();
    await page.close();
    expect(await ledger.pages()).toEqual([ROOT_PAGE_ID]);
    expect(await ledger.usage()).toEqual([{ id: ROOT_PAGE_ID, closedAt: undefined }]);
    await rejection(ledger.deletePage(ROOT_PAGE_ID), "ILLEGAL_STATE");
    await snapshot.close();
    const [use] = await ledger.usage();
    expect(use?.closedAt).toBeTypeOf("bigint");
    expect(await ledger.evict(ROOT_PAGE_ID)).toBe(false);
    await using again = await ledger.rootPage({ create: false });
    expect(await contents(again)).toEqual({ name: "Alice" });
  },
);

pageTest("a deleted page is gone, and a new one under its id is empty", async (page, ledger) => {
  await page.put("name", "Alice");
  await page.close();
  await ledger.deletePage(ROOT_PAGE_ID);
  await rejection(ledger.deletePage(ROOT_PAGE_ID), "PAGE_NOT_FOUND");
  await rejection(ledger.rootPage({ create: false }), "PAGE_NOT_FOUND");
  await using again = await ledger.rootPage();
  expect(await contents(again)).toEqual({});
});
