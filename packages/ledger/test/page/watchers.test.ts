/** Watchers hear of all changes, in order, one call at a time. */
import { describe, expect, it } from "vitest";
import { memoryPlace, type PageChange } from "../../src/index.js";
import { readTidied } from "../stored.js";
import {
  asTexts,
  begin,
  changeTexts,
  contents,
  Gate,
  isSettled,
  pageTest,
  Recorder,
  type TextChange,
  testLedger,
  text,
  twoPagesTest,
} from "../support.js";

/** A listener whose first call lasts until the gate is opened. */
class Slow {
  readonly called = new Gate();
  readonly gate = new Gate();
  readonly changes: TextChange[] = [];
  readonly listener = async (change: PageChange): Promise<void> => {
    this.changes.push(changeTexts(change));
    this.called.open();
    if (this.changes.length === 1) await this.gate.opened;
  };
}

it("is notified of puts, other values and deletions, with the time of the commit", async () => {
  let now = 100n;
  await using ledger = await testLedger({ clock: () => now });
  await using page = await ledger.rootPage();
  await page.put("old", "1");
  const seen = new Recorder();
  using watcher = await page.watch({}, seen.listener);
  now = 200n;
  await page.put("name", "Alice");
  await watcher.idle();
  now = 300n;
  await page.transaction(async (transaction) => {
    await transaction.put("name", "Bob");
    await transaction.put("city", "Paris", { priority: "lazy" });
    await transaction.delete("old");
  });
  await watcher.idle();
  await page.clear();
  await watcher.idle();
  expect(seen.texts).toEqual([
    { part: "completed", changed: { name: "Alice" }, deleted: [] },
    { part: "completed", changed: { city: "Paris", name: "Bob" }, deleted: ["old"] },
    { part: "completed", changed: {}, deleted: ["city", "name"] },
  ]);
  expect(seen.changes.map(({ timestamp }) => timestamp)).toEqual([200n, 300n, 301n]);
  expect(seen.changes[1]?.changed.map(({ priority }) => priority)).toEqual(["lazy", "eager"]);
});

pageTest(
  "2 updates while the first is unanswered: one later call, with the last value only",
  async (page) => {
    const slow = new Slow();
    using watcher = await page.watch({}, slow.listener);
    await page.put("name", "Alice");
    await slow.called.opened;
    await page.put("name", "Bob");
    await page.put("city", "Paris");
    await page.put("name", "Carol");
    await page.delete("city");
    expect(slow.changes).toHaveLength(1);
    slow.gate.open();
    await watcher.idle();
    expect(slow.changes).toEqual([
      { part: "completed", changed: { name: "Alice" }, deleted: [] },
      { part: "completed", changed: { name: "Carol" }, deleted: [] },
    ]);
  },
);

pageTest("is not notified of a change that is reverted while the first is unanswered", async (page) => {
  const slow = new Slow();
  using watcher = await page.watch({}, slow.listener);
  await page.put("name", "Alice");
  await slow.called.opened;
  await page.put("city", "Paris");
  await page.delete("city");
  slow.gate.open();
  await watcher.idle();
  expect(slow.changes).toHaveLength(1);
});

describe("a great change comes in parts", () => {
  pageTest("70 entries: two, with the keys in order", async (page) => {
    const seen = new Recorder();
    using watcher = await page.watch({}, seen.listener);
    const keys = Array.from({ length: 70 }, (_, at) => `key${String(at).padStart(2, "0")}`);
    await page.transaction(async (transaction) => {
      for (const key of keys.toReversed()) await transaction.put(key, "value");
    });
    await watcher.idle();
    expect(seen.changes.map(({ part }) => part)).toEqual(["partial-started", "partial-completed"]);
    expect(seen.changes.flatMap(({ changed }) => changed.map(({ key }) => text(key)))).toEqual(keys);
    expect(new Set(seen.changes.map(({ timestamp }) => timestamp)).size).toBe(1);
  });

  pageTest.each<[number, string[]]>([
    [64, ["completed"]],
    [65, ["partial-started", "partial-completed"]],
    [128, ["partial-started", "partial-completed"]],
    [129, ["partial-started", "partial-continued", "partial-completed"]],
  ])("%d entries: %j", async (page, [count, parts]) => {
    await page.put("gone", "1");
    const seen = new Recorder();
    using watcher = await page.watch({}, seen.listener);
    await page.transaction(async (transaction) => {
      for (let at = 1; at < count; at++) await transaction.put(`key${at}`, "value");
      await transaction.delete("gone");
    });
    await watcher.idle();
    expect(seen.changes.map(({ part }) => part)).toEqual(parts);
    const told = seen.changes.flatMap(({ changed, deleted }) => [
      ...changed.map(({ key }) => text(key)),
      ...deleted.map(text),
    ]);
    expect(told).toHaveLength(count);
    expect(new Set(told).size).toBe(count);
  });

  pageTest("few entries with large values too, and each value whole", async (page) => {
    const seen = new Recorder();
    using watcher = await page.watch({ values: 1 << 20 }, seen.listener);
    const values: [string, string][] = ["a", "b", "c", "d"].map((key) => [key, key.repeat(30_000)]);
    values.push(["e", "e".repeat(200_000)]);
    await page.transaction(async (transaction) => {
      for (const [key, value] of values) await transaction.put(key, value);
    });
    await watcher.idle();
    expect(seen.changes.length).toBeGreaterThan(2);
    expect(seen.changes.flatMap(({ changed }) => asTexts(changed))).toEqual(values);
  });

  pageTest("changes made while a part is unanswered come after the last part", async (page) => {
    const slow = new Slow();
    using watcher = await page.watch({}, slow.listener);
    await page.transaction(async (transaction) => {
      for (let at = 0; at < 70; at++) await transaction.put(`key${String(at).padStart(2, "0")}`, "old");
    });
    await slow.called.opened;
    await page.put("key69", "new");
    slow.gate.open();
    await watcher.idle();
    expect(slow.changes.map(({ part }) => part)).toEqual([
      "partial-started",
      "partial-completed",
      "completed",
    ]);
    expect(slow.changes[1]?.changed.key69).toBe("old");
    expect(slow.changes[2]).toEqual({ part: "completed", changed: { key69: "new" }, deleted: [] });
  });
});

pageTest("an empty transaction, a rollback and changes without effect: no call", async (page) => {
  await page.put("name", "Alice");
  const seen = new Recorder();
  using watcher = await page.watch({}, seen.listener);
  await page.transaction(async () => undefined);
  const tx = await begin(page);
  await tx.put("name", "Bob");
  await tx.rollback();
  await page.put("name", "Alice");
  await watcher.idle();
  expect(seen.changes).toEqual([]);
});

pageTest('the prefix "01" sees only "01-key"', async (page) => {
  const seen = new Recorder();
  using watcher = await page.watch({ prefix: "01" }, seen.listener);
  await page.transaction(async (transaction) => {
    for (const key of ["00-key", "01-key", "02-key"]) await transaction.put(key, "value");
  });
  await page.put("02-other", "value");
  await page.delete("00-key");
  await watcher.idle();
  expect(seen.texts).toEqual([{ part: "completed", changed: { "01-key": "value" }, deleted: [] }]);
});

twoPagesTest("nothing during a transaction: commits of others come after it", async ([page1, page2]) => {
  const seen = new Recorder();
  using watcher = await page1.watch({}, seen.listener);
  const tx1 = await begin(page1);
  await page2.put("city", "Paris");
  await tx1.put("name", "Alice");
  await watcher.idle();
  expect(seen.changes).toEqual([]);
  await tx1.rollback();
  await watcher.idle();
  expect(seen.texts).toEqual([{ part: "completed", changed: { city: "Paris" }, deleted: [] }]);
});

twoPagesTest(
  "a transaction waits until the pending call is answered, also of changes by others",
  async ([page1, page2]) => {
    const slow = new Slow();
    const other = new Slow();
    using _slow = await page1.watch({}, slow.listener);
    using _other = await page1.watch({}, other.listener);
    await page1.put("name", "Alice");
    const start = begin(page1);
    expect(await isSettled(start)).toBe(false);
    slow.gate.open();
    expect(await isSettled(start)).toBe(false);
    // While it waits for one listener, it does not call the other.
    await page2.put("city", "Paris");
    expect(await isSettled(start)).toBe(false);
    other.gate.open();
    const tx = await start;
    expect(slow.changes).toEqual([{ part: "completed", changed: { name: "Alice" }, deleted: [] }]);
    expect(other.changes).toEqual(slow.changes);
    // The work sees everything that was committed before.
    expect(await contents(page1)).toEqual({ name: "Alice", city: "Paris" });
    await tx.rollback();
    expect(await contents(page1)).toEqual({ name: "Alice", city: "Paris" });
  },
);

twoPagesTest(
  "parallel transactions of Alice and Bob: the first sees both, the second only Bob",
  async ([page1, page2]) => {
    const [seen1, seen2] = [new Recorder(), new Recorder()];
    using watcher1 = await page1.watch({}, seen1.listener);
    using watcher2 = await page2.watch({}, seen2.listener);
    const tx1 = await begin(page1);
    await tx1.put("name", "Alice");
    const tx2 = await begin(page2);
    await tx2.put("name", "Bob");
    await tx1.commit();
    await watcher1.idle();
    expect(seen1.texts).toEqual([{ part: "completed", changed: { name: "Alice" }, deleted: [] }]);
    await tx2.commit();
    await page1.waitForConflictResolution();
    await Promise.all([watcher1.idle(), watcher2.idle()]);
    const bob = { part: "completed", changed: { name: "Bob" }, deleted: [] };
    expect(seen1.texts.slice(1)).toEqual([bob]);
    expect(seen2.texts).toEqual([bob]);
  },
);

twoPagesTest("changes of several connections at once never show as taken back", async ([page1, page2]) => {
  const [seen1, seen2] = [new Recorder(), new Recorder()];
  using watcher1 = await page1.watch({}, seen1.listener);
  using watcher2 = await page2.watch({}, seen2.listener);
  for (let at = 0; at < 20; at++)
    await Promise.all([page1.put(`a${at}`, "1"), page2.put(`b${at}`, "2"), page1.put(`c${at}`, "3")]);
  await page1.waitForConflictResolution();
  await Promise.all([watcher1.idle(), watcher2.idle()]);
  for (const { texts } of [seen1, seen2]) {
    expect(texts.flatMap(({ deleted }) => deleted)).toEqual([]);
    const told = texts.flatMap(({ changed }) => Object.keys(changed));
    expect(told.toSorted()).toEqual(Object.keys(await contents(page1)).toSorted());
  }
});

twoPagesTest(
  "1000 puts, then the page is closed: changes were reported, nothing breaks, and no call comes after",
  async ([page, other]) => {
    const seen = new Recorder();
    const watcher = await page.watch({}, seen.listener);
    const puts = (from: number) =>
      Array.from({ length: 100 }, (_, at) => page.put(`key${from + at}`, "value"));
    for (let at = 0; at < 900; at += 100) await Promise.all(puts(at));
    await Promise.all([...puts(900), page.close()]);
    await watcher.idle();
    const told = seen.changes.length;
    expect(told).toBeGreaterThan(0);
    expect(Object.keys(await contents(other))).toHaveLength(1000);
    await other.put("later", "1");
    await watcher.idle();
    expect(seen.changes).toHaveLength(told);
  },
);

pageTest("a listener that throws is not notified again, and other listeners are", async (page) => {
  const failure = new Error("no more");
  let calls = 0;
  const bad = await page.watch({}, () => {
    calls++;
    throw failure;
  });
  const seen = new Recorder();
  using good = await page.watch({}, seen.listener);
  await page.put("a", "1");
  await expect(bad.idle()).rejects.toBe(failure);
  await page.put("b", "2");
  await page.transaction(async (transaction) => transaction.put("c", "3"));
  await good.idle();
  expect(calls).toBe(1);
  expect(Object.assign({}, ...seen.texts.map(({ changed }) => changed))).toEqual({ a: "1", b: "2", c: "3" });
});

pageTest("a closed watcher is not notified again", async (page) => {
  const seen = new Recorder();
  const watcher = await page.watch({}, seen.listener);
  await page.put("a", "1");
  await watcher.idle();
  watcher.close();
  watcher.close();
  await page.put("b", "2");
  await watcher.idle();
  expect(seen.texts).toEqual([{ part: "completed", changed: { a: "1" }, deleted: [] }]);
});

it("one whose listener has failed keeps no commit from being removed", async () => {
  const place = memoryPlace();
  const ledger = await testLedger({}, place);
  const page = await ledger.rootPage();
  const broken = new Error("the listener fails");
  const watcher = await page.watch({}, () => Promise.reject(broken));
  await page.put("a", "1");
  await expect(watcher.idle()).rejects.toBe(broken);
  await page.put("b", "2");
  await page.put("c", "3");
  await ledger.close();
  expect((await readTidied(place)).roots.size).toBe(1);
});

pageTest("a listener may use the page, and sees at least the reported changes", async (page) => {
  const seen: Record<string, string | null>[] = [];
  using watcher = await page.watch({ prefix: "in/" }, async ({ changed }) => {
    seen.push(await contents(page));
    for (const { key, value } of changed) await page.put(`out/${text(key)}`, value ?? "");
  });
  await page.put("in/a", "1");
  await watcher.idle();
  expect(seen).toEqual([{ "in/a": "1" }]);
  expect(await contents(page)).toEqual({ "in/a": "1", "out/in/a": "1" });
});
