/** The states of two connections become one, by each policy. */
import { describe, expect, it } from "vitest";
import { rejection } from "../../../../test/support/rejection.js";
import type { Conflict, MergedEntry, PagePolicy } from "../../src/index.js";
import {
  begin,
  contents,
  headOf,
  isSettled,
  Recorder,
  shown,
  testLedger,
  text,
  twoOf,
  twoPagesTest,
} from "../support.js";
import { Asked, apply, diverge, divergeOn, type Edits, sides } from "./support.js";

/** The result of a merge by a policy, and the question to a resolver. */
async function merged(
  older: Edits,
  newer: Edits,
  policy: PagePolicy["policy"],
  decide: (conflict: Conflict) => Promise<void> = async () => undefined,
  before: Edits = {},
) {
  await using ledger = await testLedger();
  const asked = new Asked();
  const resolve = async (conflict: Conflict): Promise<void> => {
    await asked.note(conflict);
    await decide(conflict);
  };
  ledger.setConflictResolver(() => (policy === "last-one-wins" ? { policy } : { policy, resolve }));
  await using first = await ledger.rootPage();
  await apply(first, before);
  const pages = await diverge(ledger, older, newer);
  await pages[0].waitForConflictResolution();
  const [one, other] = await Promise.all(pages.map(contents));
  expect(other).toEqual(one);
  expect(await headOf(pages[1])).toEqual(await headOf(pages[0]));
  return { page: one, asked };
}

/** Merges a conflict with these entries. */
const saying =
  (...entries: MergedEntry[]) =>
  (conflict: Conflict) =>
    conflict.merge(entries);

describe("the documents' table", () => {
  twoPagesTest(
    "default: name=Bob, city=Paris, phone; watchers see changes that they did not know",
    async ([page1, page2]) => {
      const [seen1, seen2] = [new Recorder(), new Recorder()];
      using watcher1 = await page1.watch({}, seen1.listener);
      using watcher2 = await page2.watch({}, seen2.listener);
      const tx1 = await begin(page1);
      const tx2 = await begin(page2);
      await apply(tx1, { name: "Alice", city: "Paris" });
      await apply(tx2, { name: "Bob", phone: "0123456789" });
      await tx1.commit();
      await watcher1.idle();
      await tx2.commit();
      expect(await page1.waitForConflictResolution()).toBe("conflicts-resolved");
      await Promise.all([watcher1.idle(), watcher2.idle()]);
      const change = (changed: Record<string, string>) => ({ part: "completed", changed, deleted: [] });
      expect(seen1.texts).toEqual([
        change({ city: "Paris", name: "Alice" }),
        change({ name: "Bob", phone: "0123456789" }),
      ]);
      // The second may have been told of the merge together with its own changes.
      const told = Object.assign({}, ...seen2.texts.map(({ changed }) => changed));
      const all = { city: "Paris", name: "Bob", phone: "0123456789" };
      expect(told).toEqual(all);
      expect(seen2.texts.at(-1)?.changed).toHaveProperty("city");
      expect(await contents(page1)).toEqual(all);
      expect(await contents(page2)).toEqual(all);
    },
  );

  it("custom: the full diff, with an empty ancestor; older, delete and new", async () => {
    const { page, asked } = await merged(
      { name: "Alice", city: "Paris" },
      { phone: "0123456789", email: "alice@example.org" },
      "custom",
      saying(
        { key: "name", use: "older" },
        { key: "email", use: "delete" },
        { key: "pager", use: "new", value: "pager@example.org" },
      ),
    );
    expect(page).toEqual({ name: "Alice", pager: "pager@example.org", phone: "0123456789" });
    expect(asked.differences.map(sides)).toEqual([
      [
        ["city", "older Paris"],
        ["email", "newer alice@example.org"],
        ["name", "older Alice"],
        ["phone", "newer 0123456789"],
      ],
    ]);
    expect(asked.differences[0]?.map(({ ancestor }) => ancestor)).toEqual(new Array(4).fill(undefined));
    expect(asked.conflicts).toEqual([[]]);
  });

  it("custom: the order of decisions counts", async () => {
    const { page } = await merged(
      { name: "Alice" },
      { email: "alice@example.org" },
      "custom",
      async (conflict) => {
        await conflict.merge([
          { key: "name", use: "older" },
          { key: "other", use: "new", value: "1" },
        ]);
        await conflict.merge([{ key: "name", use: "delete" }]);
        await conflict.merge([
          { key: "other", use: "new", value: "2" },
          { key: "other", use: "delete" },
        ]);
      },
    );
    expect(page).toEqual({ email: "alice@example.org" });
  });

  it("custom: 50 keys on each side, in the order of the keys", async () => {
    const key = (at: number) => `key${String(at).padStart(2, "0")}`;
    const side = (rest: number, value: string): Edits =>
      Object.fromEntries(Array.from({ length: 50 }, (_, at) => [key(2 * at + rest), value]));
    const { page, asked } = await merged(side(0, "Alice"), side(1, "Bob"), "custom", (conflict) =>
      conflict.mergeNonConflicting(),
    );
    const expected = Array.from({ length: 100 }, (_, at) => [
      key(at),
      at % 2 === 0 ? "older Alice" : "newer Bob",
    ]);
    expect(asked.differences.map(sides)).toEqual([expected]);
    expect(Object.keys(page as object)).toHaveLength(100);
  });

  it("custom: only name conflicts; the rest and the older name are taken", async () => {
    const { page, asked } = await merged(
      { name: "Alice", city: "Paris" },
      { name: "Bob", phone: "0123456789" },
      "custom",
      async (conflict) => {
        await conflict.mergeNonConflicting();
        await conflict.merge([{ key: "name", use: "older" }]);
      },
    );
    expect(asked.conflicts.map(sides)).toEqual([[["name", "newer Bob, older Alice"]]]);
    expect(page).toEqual({ city: "Paris", name: "Alice", phone: "0123456789" });
  });

  it("automatic: different keys, so nobody is asked", async () => {
    const { page, asked } = await merged(
      { name: "Alice", city: "Paris" },
      { email: "alice@example.org", phone: "0123456789" },
      "automatic-with-fallback",
    );
    expect(page).toEqual({ city: "Paris", email: "alice@example.org", name: "Alice", phone: "0123456789" });
    expect(asked.differences).toEqual([]);
  });

  it("automatic: one key conflicts, so the whole merge is asked about", async () => {
    const { page, asked } = await merged(
      { city: "Paris" },
      { name: "Alice", city: "San Francisco" },
      "automatic-with-fallback",
      saying({ key: "city", use: "older" }),
    );
    expect(asked.differences.map(sides)).toEqual([
      [
        ["city", "newer San Francisco, older Paris"],
        ["name", "newer Alice"],
      ],
    ]);
    expect(page).toEqual({ city: "Paris", name: "Alice" });
  });

  it("automatic: a key put and deleted again is not a conflict", async () => {
    await using ledger = await testLedger();
    const asked = new Asked();
    ledger.setConflictResolver(() => ({
      policy: "automatic-with-fallback",
      resolve: (conflict) => asked.note(conflict),
    }));
    const [page1, page2] = await twoOf(ledger);
    const tx2 = await begin(page2);
    await page1.put("name", "Alice");
    await page1.delete("name");
    await tx2.put("email", "alice@example.org");
    await tx2.commit();
    await page1.waitForConflictResolution();
    expect(await contents(page1)).toEqual({ email: "alice@example.org" });
    expect(await headOf(page1)).toEqual(await headOf(page2));
    expect(asked.differences).toEqual([]);
  });
});

describe("last one wins", () => {
  it.each<[string, Edits, Edits, Edits, Record<string, string>]>([
    ["the newer value", { a: "0" }, { a: "older" }, { a: "newer" }, { a: "newer" }],
    ["the newer deletion", { a: "0", b: "0" }, { a: "older" }, { a: null }, { b: "0" }],
    ["the newer value, not the older deletion", { a: "0" }, { a: null }, { a: "newer" }, { a: "newer" }],
    [
      "what only one changed",
      { a: "0", b: "0", c: "0" },
      { a: "1", c: null },
      { b: "2" },
      { a: "1", b: "2" },
    ],
    ["what both deleted", { a: "0", b: "0" }, { a: null }, { a: null, b: "2" }, { b: "2" }],
    ["what both put", {}, { a: "same", b: "1" }, { a: "same", c: "2" }, { a: "same", b: "1", c: "2" }],
    [
      "all keys of a transaction",
      {},
      { a: "1", b: "1" },
      { a: "2", b: "2", c: "2" },
      { a: "2", b: "2", c: "2" },
    ],
  ])("takes %s", async (_what, before, older, newer, expected) => {
    const { page } = await merged(older, newer, "last-one-wins", undefined, before);
    expect(page).toEqual(expected);
  });

  it("goes by the time of the commits, not by their order", async () => {
    // The clock of the first commit is ahead.
    const times = [2000n, 1000n];
    await using ledger = await testLedger({ clock: () => times.shift() ?? 3000n });
    const [page] = await diverge(ledger, { name: "late" }, { name: "early" });
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ name: "late" });
  });

  it("at the same time, by their ids: the same on every device", async () => {
    const found = new Set<string>();
    for (const [first, second] of [
      ["Alice", "Bob"],
      ["Bob", "Alice"],
    ] as const) {
      await using ledger = await testLedger({ clock: () => 5n });
      const [page] = await diverge(ledger, { name: first }, { name: second });
      await page.waitForConflictResolution();
      found.add(JSON.stringify([await contents(page), [...(await headOf(page))]]));
    }
    expect(found.size).toBe(1);
  });
});

describe("automatic with fallback", () => {
  it.each<[string, Edits, Edits, Edits, Record<string, string>]>([
    [
      "both made the same change",
      { a: "0" },
      { a: "1", b: "1" },
      { a: "1", c: "2" },
      { a: "1", b: "1", c: "2" },
    ],
    ["both deleted the same", { a: "0" }, { a: null, b: "1" }, { a: null }, { b: "1" }],
    ["one deleted, the other put elsewhere", { a: "0" }, { a: null }, { b: "2" }, { b: "2" }],
  ])("asks nobody if %s", async (_what, before, older, newer, expected) => {
    const { page, asked } = await merged(older, newer, "automatic-with-fallback", undefined, before);
    expect(page).toEqual(expected);
    expect(asked.differences).toEqual([]);
  });

  it("asks if one side deleted what the other changed; the newer head wins unless the resolver decides", async () => {
    const { page, asked } = await merged(
      { a: null, b: "1" },
      { a: "2", c: "2" },
      "automatic-with-fallback",
      undefined,
      { a: "0" },
    );
    expect(asked.conflicts).toEqual([[{ key: "a", ancestor: "0", newer: "2", older: undefined }]]);
    expect(page).toEqual({ a: "2", c: "2" });
  });
});

describe("custom", () => {
  it("is asked about every merge, also where nothing conflicts", async () => {
    const { page, asked } = await merged({ a: "1" }, { b: "2" }, "custom");
    expect(asked.differences).toHaveLength(1);
    expect(page).toEqual({ b: "2" });
  });

  it("shows the three states as snapshots: the newer one first", async () => {
    const states: unknown[] = [];
    await merged(
      { a: "1" },
      { a: "2" },
      "custom",
      async ({ newer, older, ancestor }) =>
        void states.push(await shown(newer), await shown(older), await shown(ancestor)),
      { a: "0", b: "0" },
    );
    expect(states).toEqual([
      [
        ["a", "2"],
        ["b", "0"],
      ],
      [
        ["a", "1"],
        ["b", "0"],
      ],
      [
        ["a", "0"],
        ["b", "0"],
      ],
    ]);
  });

  it("`older` of a key that the older head does not have is a deletion", async () => {
    const { page } = await merged(
      { a: null },
      { a: "2", b: "2" },
      "custom",
      saying({ key: "a", use: "older" }, { key: "b", use: "older" }, { key: "c", use: "older" }),
      { a: "0" },
    );
    expect(page).toEqual({});
  });

  it("mergeNonConflicting after merge reverts decisions about keys that one side has changed", async () => {
    const { page } = await merged(
      { a: "1", c: "1", d: "1" },
      { a: "2", b: "2", e: "2" },
      "custom",
      async (conflict) => {
        await conflict.merge([
          { key: "a", use: "new", value: "said" },
          { key: "b", use: "delete" },
          { key: "c", use: "new", value: "said" },
          { key: "z", use: "new", value: "said" },
        ]);
        await conflict.mergeNonConflicting();
        await conflict.merge([{ key: "e", use: "delete" }]);
      },
    );
    expect(page).toEqual({ a: "said", b: "2", c: "1", d: "1", z: "said" });
  });

  it("new values of any size and priority", async () => {
    const large = "a large value ".repeat(20_000);
    await using ledger = await testLedger();
    ledger.setConflictResolver(() => ({
      policy: "custom",
      resolve: saying(
        { key: "large", use: "new", value: large, priority: "lazy" },
        { key: "bytes", use: "new", value: Uint8Array.of(65) },
      ),
    }));
    const [page] = await diverge(ledger, { a: "1" }, { b: "2" });
    await page.waitForConflictResolution();
    await using snapshot = await page.snapshot();
    const { items } = await snapshot.entriesPart({ gte: "c" });
    expect(items.map(({ key, priority }) => [text(key), priority])).toEqual([["large", "lazy"]]);
    expect(await contents(snapshot)).toEqual({ b: "2", bytes: "A", large });
  });

  it("refuses wrong keys, and everything once it is resolved", async () => {
    const kept: Conflict[] = [];
    await merged({ a: "1" }, { b: "2" }, "custom", async (conflict) => {
      kept.push(conflict);
      await rejection(conflict.merge([{ key: "k".repeat(257), use: "delete" }]), "INVALID_ARGUMENT");
    });
    const [conflict] = kept as [Conflict];
    await rejection(conflict.merge([]), "ILLEGAL_STATE");
    await rejection(conflict.mergeNonConflicting(), "ILLEGAL_STATE");
    await rejection((async () => conflict.differences().next())(), "ILLEGAL_STATE");
    await rejection(conflict.newer.get("a"), "CLOSED");
  });
});

it("waitForConflictResolution: no conflicts, or when they are resolved", async () => {
  await using ledger = await testLedger();
  const remove = ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
  remove();
  const pages = await twoOf(ledger);
  await pages[0].put("a", "0");
  expect(await pages[0].waitForConflictResolution()).toBe("no-conflicts");
  await divergeOn(pages, { a: "1" }, { a: "2" });
  const waiting = pages[1].waitForConflictResolution();
  expect(await isSettled(waiting)).toBe(false);
  ledger.setConflictResolver(() => ({ policy: "last-one-wins" }));
  expect(await waiting).toBe("conflicts-resolved");
  expect(await pages[0].waitForConflictResolution()).toBe("no-conflicts");
});
