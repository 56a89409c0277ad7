/** Changes of a page, within transactions and without, and their results. */
import { describe, expect } from "vitest";
import type { Mutations } from "../../src/index.js";
import { contents, headOf, pageTest, shown, twoPagesTest } from "../support.js";

pageTest("a page is empty at first", async (page) => {
  await using snapshot = await page.snapshot();
  expect(await shown(snapshot)).toEqual([]);
  expect(snapshot.commitId).toEqual(new Uint8Array(32));
});

describe.each([false, true])("within a transaction: %s", (within) => {
  pageTest.each<[string, readonly (readonly string[])[], Record<string, string>]>([
    ["put", [["put", "name", "Alice"]], { name: "Alice" }],
    [
      "put twice",
      [
        ["put", "name", "Alice"],
        ["put", "name", "Bob"],
      ],
      { name: "Bob" },
    ],
    ["put an empty value at an empty key", [["put", "", ""]], { "": "" }],
    [
      "delete",
      [
        ["put", "name", "Alice"],
        ["delete", "name"],
      ],
      {},
    ],
    [
      "delete what is not there",
      [
        ["put", "name", "Alice"],
        ["delete", "city"],
      ],
      { name: "Alice" },
    ],
    [
      "delete, then put",
      [
        ["delete", "name"],
        ["put", "name", "Alice"],
      ],
      { name: "Alice" },
    ],
    ["clear", [["put", "name", "Alice"], ["put", "city", "Paris"], ["clear"]], {}],
    ["clear twice", [["put", "name", "Alice"], ["clear"], ["clear"]], {}],
    ["clear, then delete", [["put", "name", "Alice"], ["clear"], ["delete", "name"]], {}],
    ["delete, then clear", [["put", "name", "Alice"], ["delete", "name"], ["clear"]], {}],
    [
      "clear, then put the same",
      [["put", "name", "Alice"], ["clear"], ["put", "name", "Alice"]],
      { name: "Alice" },
    ],
    [
      "clear, then put another",
      [["put", "name", "Alice"], ["clear"], ["put", "city", "Paris"]],
      { city: "Paris" },
    ],
  ])("%s", async (page, [_, steps, expected]) => {
    await page.put("before", "there");
    const clears = steps.some(([step]) => step === "clear");
    const change = async (on: Mutations): Promise<void> => {
      for (const [step, key = "", value = ""] of steps) {
        if (step === "put") await on.put(key, value);
        else if (step === "delete") await on.delete(key);
        else await on.clear();
      }
    };
    await (within ? page.transaction(change) : change(page));
    expect(await contents(page)).toEqual(clears ? expected : { before: "there", ...expected });
  });
});

pageTest(
  "each change outside a transaction is a commit, and so is a transaction",
  async (page) => {
    const heads = new Set<string>();
    const note = async () => heads.add((await headOf(page)).join());
    await page.put("a", "1");
    await note();
    await page.put("b", "2");
    await note();
    await page.transaction(async (transaction) => {
      await transaction.put("c", "3");
      await transaction.put("d", "4");
      await note();
    });
    await note();
    expect(heads.size).toBe(3);
  },
  { clock: () => 7n },
);

pageTest(
  "clear in a transaction, then the same values: the contents stay, and so does the commit",
  async (page) => {
    await page.put("name", "Alice");
    const head = await headOf(page);
    await page.transaction(async (transaction) => {
      await transaction.clear();
      await transaction.put("name", "Alice");
    });
    expect(await headOf(page)).toEqual(head);
  },
);

pageTest("a change that changes nothing makes no commit", async (page) => {
  await page.put("name", "Alice");
  const head = await headOf(page);
  await page.put("name", "Alice");
  await page.delete("city");
  await page.transaction(async (transaction) => {
    await transaction.put("city", "Paris");
    await transaction.delete("city");
  });
  expect(await headOf(page)).toEqual(head);
  // Another priority is another entry.
  await page.put("name", "Alice", { priority: "lazy" });
  expect(await headOf(page)).not.toEqual(head);
});

pageTest("operations of one connection run in the order of their calls", async (page) => {
  await Promise.all([
    page.put("name", "Alice"),
    page.delete("name"),
    page.put("name", "Bob"),
    page.transaction((tx) => Promise.all([tx.put("city", "Paris"), tx.clear(), tx.put("name", "Carol")])),
    page.put("phone", "1"),
  ]);
  expect(await contents(page)).toEqual({ name: "Carol", phone: "1" });
});

pageTest("changing the bytes after a call has no effect", async (page) => {
  const key = new TextEncoder().encode("name");
  const value = new TextEncoder().encode("Alice".repeat(20));
  const put = page.put(key, value);
  key.fill(0);
  value.fill(0);
  await put;
  expect(await contents(page)).toEqual({ name: "Alice".repeat(20) });
});

twoPagesTest(
  "connections see commits of others, each of its own page only",
  async ([page1, page2], ledger) => {
    await using other = await ledger.createPage();
    await page1.put("name", "Alice");
    expect(await contents(page2)).toEqual({ name: "Alice" });
    await page2.put("city", "Paris");
    expect(await contents(page1)).toEqual({ name: "Alice", city: "Paris" });
    expect(await contents(other)).toEqual({});
    expect(other.id).toHaveLength(16);
    expect(other.id).not.toEqual(page1.id);
  },
);
