/** Changes that wait for the same turn become one commit. */
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/fixtures.js";
import { openLedger } from "../../src/index.js";
import { begin, commitCount, contents, Gate, PAGE, pageTest, text } from "../support.js";

pageTest(
  "changes that nobody awaits are one commit, in the order of the calls",
  async (page) => {
    await page.put("old", "1");
    const before = await commitCount(page);
    await Promise.all([
      page.put("name", "Alice"),
      page.clear(),
      page.put("name", "Bob"),
      page.put("name", "Carol"),
      page.put("city", "Paris"),
      page.delete("city"),
    ]);
    expect(await contents(page)).toEqual({ name: "Carol" });
    expect(await commitCount(page)).toBe(before + 1);
  },
  { history: "keep" },
);

pageTest(
  "a read between two changes sees the first one only",
  async (page) => {
    const before = await commitCount(page);
    const [, seen] = await Promise.all([
      page.put("name", "Alice"),
      page.get("name"),
      page.put("name", "Bob"),
    ]);
    expect(seen && text(seen)).toBe("Alice");
    expect(await contents(page)).toEqual({ name: "Bob" });
    expect(await commitCount(page)).toBe(before + 2);
  },
  { history: "keep" },
);

pageTest("a change that fails does not take the others with it", async (page, ledger) => {
  await using other = await ledger.page(PAGE);
  const foreign = await other.createReference("a value of another page, which is longer than a digest");
  const settled = await Promise.allSettled([
    page.put("a", "1"),
    page.putReference("b", foreign),
    page.put("x".repeat(257), "1"),
    page.put("c", "3"),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(await contents(page)).toEqual({ a: "1", c: "3" });
});

it("a change that fails first is rejected before the others are stored", async () => {
  using folder = temporaryFolder();
  await using ledger = await openLedger(folder.path, { name: "notes" });
  await using page = await ledger.rootPage();
  await using other = await ledger.page(PAGE);
  const foreign = await other.createReference("a value of another page, which is longer than a digest");
  // A rejection that nobody handles in time would end the process.
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  try {
    const [first, second] = await Promise.allSettled([
      page.putReference("b", foreign),
      page.put("c", "x".repeat(100_000)),
    ]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});

pageTest("no change waits for a stream that was put after it", async (page) => {
  const gate = new Gate();
  async function* slow(): AsyncGenerator<Uint8Array> {
    await gate.opened;
    yield new Uint8Array(100);
  }
  const first = page.put("a", "1");
  const streamed = page.put("b", slow());
  const last = page.put("c", "3");
  await first;
  gate.open();
  await Promise.all([streamed, last]);
  expect(Object.keys(await contents(page))).toEqual(["a", "b", "c"]);
});

pageTest("a watcher gets everything that a commit of several changes has changed", async (page) => {
  await page.put("gone", "1");
  const told: [string[], string[]][] = [];
  using watcher = await page.watch({}, ({ changed, deleted }) => {
    told.push([changed.map(({ key }) => text(key)), deleted.map(text)]);
  });
  await Promise.all([page.put("a", "1"), page.delete("gone"), page.put("b", "2")]);
  await watcher.idle();
  expect(told).toEqual([[["a", "b"], ["gone"]]]);
});

pageTest(
  "changes within an explicit transaction belong to it",
  async (page) => {
    const before = await commitCount(page);
    const tx = await begin(page);
    await Promise.all([tx.put("a", "1"), tx.put("b", "2")]);
    await tx.put("c", "3");
    await tx.commit();
    expect(await commitCount(page)).toBe(before + 1);
    const dropped = await begin(page);
    await Promise.all([dropped.put("d", "1"), dropped.put("e", "2")]);
    await dropped.rollback();
    expect(Object.keys(await contents(page))).toEqual(["a", "b", "c"]);
  },
  { history: "keep" },
);
