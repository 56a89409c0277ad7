/** Transactions: atomic, of one connection, on the state at their beginning. */
import { expect } from "vitest";
import { begin, contents, headOf, pageTest, twoPagesTest } from "../support.js";

twoPagesTest("nothing of a transaction shows before its commit, to anybody", async ([page1, page2]) => {
  await page1.put("name", "Alice");
  const tx1 = await begin(page1);
  await tx1.put("name", "Bob");
  await tx1.delete("name");
  await tx1.put("city", "Paris");
  // Also not to the connection itself.
  expect(await contents(page1)).toEqual({ name: "Alice" });
  expect(await contents(page2)).toEqual({ name: "Alice" });
  await tx1.commit();
  expect(await contents(page1)).toEqual({ city: "Paris" });
  expect(await contents(page2)).toEqual({ city: "Paris" });
});

pageTest("a rollback drops everything", async (page) => {
  await page.put("name", "Alice");
  const head = await headOf(page);
  const tx = await begin(page);
  await tx.clear();
  await tx.put("city", "Paris");
  await tx.rollback();
  expect(await contents(page)).toEqual({ name: "Alice" });
  expect(await headOf(page)).toEqual(head);
  await page.put("phone", "1");
  expect(await contents(page)).toEqual({ name: "Alice", phone: "1" });
});

pageTest("work that throws is rolled back, and its error comes out", async (page) => {
  const failure = new Error("changed my mind");
  const work = page.transaction(async (transaction) => {
    await transaction.put("name", "Alice");
    throw failure;
  });
  await expect(work).rejects.toBe(failure);
  expect(await contents(page)).toEqual({});
  expect(await page.transaction(async (transaction) => transaction.put("a", "1").then(() => 42))).toBe(42);
});

pageTest("the error of work comes out also when the page was closed meanwhile", async (page) => {
  const failure = new Error("changed my mind");
  const work = page.transaction(async () => {
    await page.close();
    throw failure;
  });
  await expect(work).rejects.toBe(failure);
});

twoPagesTest(
  "is committed on the state at its beginning, whatever others commit meanwhile",
  async ([page1, page2]) => {
    await page1.put("name", "Alice");
    const tx1 = await begin(page1);
    await page2.put("city", "Paris");
    await page2.put("phone", "1");
    expect(await contents(page1)).toEqual({ name: "Alice" });
    await tx1.clear();
    await tx1.put("email", "a@b");
    await tx1.commit();
    // The transaction cleared the entries at its beginning; the rest is of the other branch.
    await page1.waitForConflictResolution();
    expect(await contents(page1)).toEqual({ city: "Paris", phone: "1", email: "a@b" });
    expect(await headOf(page2)).toEqual(await headOf(page1));
  },
);

twoPagesTest("two in parallel: both whole, then together", async ([page1, page2]) => {
  const tx1 = await begin(page1);
  const tx2 = await begin(page2);
  await tx1.put("name", "Alice");
  await tx2.put("name", "Bob");
  await tx1.put("city", "Paris");
  await tx2.put("phone", "0123456789");
  await tx1.commit();
  await tx2.commit();
  expect(await page2.waitForConflictResolution()).toBe("conflicts-resolved");
  const expected = { name: "Bob", city: "Paris", phone: "0123456789" };
  expect(await contents(page1)).toEqual(expected);
  expect(await contents(page2)).toEqual(expected);
});

twoPagesTest(
  "NoChangeTransactionForwardState: a commit without changes moves to the commits of others",
  async ([page1, page2]) => {
    const tx1 = await begin(page1);
    const tx2 = await begin(page2);
    await tx1.put("name", "Alice");
    await tx1.commit();
    expect(await contents(page2)).toEqual({});
    await tx2.commit();
    expect(await contents(page2)).toEqual({ name: "Alice" });
    await page2.transaction(async (transaction) => transaction.put("city", "Paris"));
    expect(await page2.waitForConflictResolution()).toBe("no-conflicts");
    expect(await contents(page1)).toEqual({ name: "Alice", city: "Paris" });
  },
);

twoPagesTest("RollbackTransactionForwardState: so does a rollback", async ([page1, page2]) => {
  const tx1 = await begin(page1);
  const tx2 = await begin(page2);
  await tx1.put("name", "Alice");
  await tx2.put("name", "Bob");
  await tx1.commit();
  expect(await contents(page2)).toEqual({});
  await tx2.rollback();
  expect(await contents(page2)).toEqual({ name: "Alice" });
  await page2.put("city", "Paris");
  expect(await page2.waitForConflictResolution()).toBe("no-conflicts");
  expect(await contents(page1)).toEqual({ name: "Alice", city: "Paris" });
});

pageTest("PutInsideOfTransaction: snapshots within show the page as it was", async (page) => {
  const tx = await begin(page);
  await tx.put("name", "Alice");
  await using before = await page.snapshot();
  await tx.commit();
  await using after = await page.snapshot();
  expect(await contents(before)).toEqual({});
  expect(await contents(after)).toEqual({ name: "Alice" });
});
