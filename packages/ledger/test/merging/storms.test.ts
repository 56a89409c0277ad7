/** Devices that write at the same time: heads wait for a round trip, and the page shows their merge meanwhile. */

import { MerostoreError, toHex } from "merostore/internal";
import { expect, it, vi } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import { mergeByPrefix, mergeCounters, mergeSets, type Page, type PagePolicy } from "../../src/index.js";
import { CommitStore } from "../../src/storage/commit-store.js";
import { PieceStore } from "../../src/storage/piece-store.js";
import { faultsOf, readStored } from "../stored.js";
import {
  changeTexts,
  contents,
  Gate,
  headOf,
  macrotasks,
  Recorder,
  testLedger,
  ticking,
} from "../support.js";
import { Courier, type Device, devicesOf } from "../sync/courier.js";
import { Asked } from "./support.js";

/** A round trip that no test waits for: heads are merged when somebody asks for it, or a change depends on it. */
const FOR_EVER = 2 ** 40;

const devices = <N extends number>(count: N, policy?: PagePolicy, roundTrip = FOR_EVER) =>
  devicesOf(count, policy, roundTrip);

/** A round: each device gets the commits that the others had at its beginning. */
async function exchange(all: readonly Device[]): Promise<void> {
  const made = await Promise.all(all.map(({ courier }) => courier.commits()));
  for (const { courier } of all)
    for (const commits of made) if (commits.length > 0) await courier.page.addCommits(commits, "peer");
  // The policy of the page is asked for when it has two heads for the first time.
  await macrotasks(2);
}

async function counts({ courier, page }: Device): Promise<{ commits: number; merges: number }> {
  const parents = (await listOf(page.history())).map((commit) => commit.parents.length);
  expect(await courier.commits()).toHaveLength(parents.filter((count) => count > 0).length);
  return {
    commits: parents.filter((count) => count === 1).length,
    merges: parents.filter((count) => count > 1).length,
  };
}

it.each([5, 10])("%d devices that write other keys leave one merge less than devices", async (count) => {
  await using all = await devices(count);
  const random = new Random(count);
  const expected: Record<string, string> = {};
  let puts = 0;
  for (let round = 0; round < 2; round++) {
    for (const [at, { page }] of all.entries())
      for (let put = 0; put < 2; put++) {
        expected[`${at}/${round}${put}`] = `${puts++}`;
        await page.put(`${at}/${round}${put}`, `${puts - 1}`);
      }
    // Some devices get another's commits so far, others get them later.
    for (const { courier } of all)
      if (random.below(2) === 0) await courier.bring((all[random.below(count)] as Device).courier);
  }
  await exchange(all);
  for (const device of all) {
    expect(await device.page.heads()).toHaveLength(count);
    expect(await contents(device.page)).toEqual(expected);
    expect(await counts(device)).toEqual({ commits: puts, merges: 0 });
  }
  for (const { page } of all) await page.waitForConflictResolution();
  const heads = await Promise.all(all.map(async ({ page }) => toHex(await headOf(page))));
  expect(new Set(heads).size).toBe(1);
  await exchange(all);
  for (const device of all) {
    expect(await counts(device)).toEqual({ commits: puts, merges: count - 1 });
    expect(await contents(device.page)).toEqual(expected);
  }
});

it.each<PagePolicy["policy"]>(["last-one-wins", "automatic-with-fallback"])(
  "calls that change nothing store no merge: %s",
  async (policy) => {
    await using all = await devices(2, { policy, resolve: () => undefined });
    for (const [at, { page }] of all.entries()) await page.put(`${at}`, "1");
    await exchange(all);
    const [{ page }] = all;
    await page.flush();
    expect(await page.transaction((tx) => tx.count())).toBe(2);
    expect(await page.heads()).toHaveLength(2);
  },
);

it("merges of different heads become one in the next round", async () => {
  await using all = await devices(5);
  for (const [at, { page }] of all.entries()) await page.put(`key${at}`, "1");
  // The last one knows nobody else's change, the others not its own.
  await exchange(all.slice(0, 4));
  for (const { page } of all) await page.waitForConflictResolution();
  await exchange(all);
  for (const { page } of all) await page.waitForConflictResolution();
  await exchange(all);
  for (const device of all) {
    expect(await device.page.heads()).toHaveLength(1);
    expect(await counts(device)).toEqual({ commits: 5, merges: 4 });
  }
});

it("heads are merged by themselves once a round trip has brought nothing, with what a last look brings", async () => {
  await using all = await devices(3, undefined, 1);
  const [one, two, three] = all;
  await one.page.put("a", "1");
  await two.page.put("b", "2");
  await three.page.put("c", "3");
  one.courier.refresh = () => one.courier.bring(three.courier);
  await one.courier.bring(two.courier);
  await vi.waitFor(async () => expect(await one.page.heads()).toHaveLength(1), { timeout: 500_000 });
  expect(await contents(one.page)).toEqual({ a: "1", b: "2", c: "3" });
  expect(await counts(one)).toEqual({ commits: 3, merges: 2 });
});

it("watchers and snapshots show the merge once; storing it later changes nothing", async () => {
  await using all = await devices(2);
  const [one, two] = all;
  const seen = new Recorder();
  using watcher = await one.page.watch({}, seen.listener);
  await one.page.put("a", "1");
  await watcher.idle();
  await two.page.put("b", "2");
  await exchange(all);
  await watcher.idle();
  await using before = await one.page.snapshot();
  await one.page.put("c", "3");
  await watcher.idle();
  await one.page.waitForConflictResolution();
  await watcher.idle();
  expect(seen.changes.map(changeTexts).map(({ changed, deleted }) => [changed, deleted])).toEqual([
    [{ a: "1" }, []],
    [{ b: "2" }, []],
    [{ c: "3" }, []],
  ]);
  expect(await contents(before)).toEqual({ a: "1", b: "2" });
  expect(await contents(one.page)).toEqual({ a: "1", b: "2", c: "3" });
  await before.close();
});

it.each([
  ["the merge that was shown", false],
  ["a commit after it, which shares nodes with it", true],
])("%s is stored with all its nodes when it comes from another device", async (_, isChanged) => {
  await using all = await devices(2);
  const [one, two] = all;
  const expected: Record<string, string> = {};
  for (const [at, { page }] of all.entries())
    await page.transaction(async (transaction) => {
      for (let key = 0; key < 100; key++) {
        expected[`${at} ${key}`] = `${key} `.repeat(20);
        await transaction.put(`${at} ${key}`, `${key} `.repeat(20));
      }
    });
  await exchange(all);
  expect(await contents(one.page)).toEqual(expected);
  await two.page.waitForConflictResolution();
  if (isChanged) {
    expected["1 1"] = "changed";
    await two.page.put("1 1", "changed");
  }
  await one.courier.bring(two.courier);
  expect(await one.page.heads()).toHaveLength(1);
  await all.close();
  await using again = await testLedger({}, one.place);
  await using page = await again.rootPage();
  expect(await contents(page)).toEqual(expected);
});

it.each<[string, PagePolicy, string]>([
  ["merge that is shown is made", { policy: "last-one-wins" }, "2"],
  ["merge that is impossible is tried", { policy: "automatic-with-fallback", resolve: () => undefined }, "1"],
])("a %s once for the same heads", async (_, policy, shown) => {
  await using all = await devices(2, policy);
  const [one, two] = all;
  await one.page.put("a", "1");
  await two.page.put("a", "2");
  await exchange(all);
  expect(await contents(one.page)).toEqual({ a: shown });
  const read = vi.spyOn(CommitStore.prototype, "ofHead");
  for (let at = 0; at < 5; at++) expect(await contents(one.page)).toEqual({ a: shown });
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

it("merges before a conflict are forgotten when there are other heads", async () => {
  await using all = await devices(3, { policy: "automatic-with-fallback", resolve: () => undefined });
  const [one, two, three] = all;
  const store = vi.spyOn(PieceStore.prototype, "store");
  await one.page.put("x", "one");
  const [pieces] = store.mock.contexts as [PieceStore];
  store.mockRestore();
  const staged: number[] = [];
  for (let round = 0; round < 5; round++) {
    await two.page.put("b", `${round} `.repeat(20));
    await three.page.put("x", `three ${round} `.repeat(20));
    await one.courier.bring(two.courier);
    await one.courier.bring(three.courier);
    await one.page.put("x", `one ${round} `.repeat(20));
    await macrotasks(2);
    expect(Object.keys(await contents(one.page))).toEqual(["x"]);
    staged.push(pieces.staged.size);
  }
  expect(staged[0]).toBeGreaterThan(0);
  expect(staged).toEqual(staged.map(() => staged[0]));
});

it("damage is reported, and no other state is shown in its place", async () => {
  await using all = await devices(2);
  const [one, two] = all;
  await one.page.put("a", "1");
  using watcher = await one.page.watch({}, () => undefined);
  await two.page.put("b", "2");
  const read = vi.spyOn(CommitStore.prototype, "ofHead");
  try {
    read.mockRejectedValue(new MerostoreError("DATA_INTEGRITY_ERROR", "damaged"));
    await one.courier.bring(two.courier);
    await rejection(watcher.idle(), "DATA_INTEGRITY_ERROR");
    await rejection(one.page.get("a"), "DATA_INTEGRITY_ERROR");
    await rejection(one.page.put("b", "3"), "DATA_INTEGRITY_ERROR");
  } finally {
    read.mockRestore();
  }
  expect(await contents(one.page)).toEqual({ a: "1", b: "2" });
});

it.each<[string, (device: Device) => Promise<unknown>]>([
  [
    "somebody waits for the merge",
    async ({ page }) => {
      await page.waitForConflictResolution();
      expect(await contents(page)).toEqual({ a: "1", b: "2" });
    },
  ],
  [
    "the ledger closes",
    async ({ ledger, page }) => {
      await ledger.close();
      await rejection(page.get("a"), "CLOSED");
    },
  ],
])("a cloud that does not answer is not waited for when %s", async (_, wait) => {
  await using all = await devices(2, undefined, 1);
  const [one, two] = all;
  const isAsked = new Gate();
  const answered = new Gate();
  one.courier.refresh = () => {
    isAsked.open();
    return answered.opened;
  };
  await one.page.put("a", "1");
  await two.page.put("b", "2");
  await one.courier.bring(two.courier);
  await isAsked.opened;
  await wait(one);
  answered.open();
});

it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])(
  "a round trip of %d milliseconds is refused",
  async (trip) => {
    const [cloud] = Courier.network(1, trip) as [Courier];
    await using ledger = await testLedger({ cloud });
    await rejection(ledger.rootPage(), "INVALID_ARGUMENT");
  },
);

it.each<[string, (page: Page) => Promise<void>, Record<string, string>]>([
  ["deletes what only the other has", (page) => page.delete("theirs"), { mine: "1", same: "theirs" }],
  ["removes everything", (page) => page.clear(), {}],
  [
    "puts again what its own side has",
    (page) => page.put("same", "base"),
    { mine: "1", same: "base", theirs: "2" },
  ],
])("a change that %s changes what the page shows", async (_, change, expected) => {
  await using all = await devices(2);
  const [one, two] = all;
  await one.page.put("same", "base");
  await exchange(all);
  await one.page.put("mine", "1");
  await two.page.put("same", "theirs");
  await two.page.put("theirs", "2");
  await exchange(all);
  expect(await contents(one.page)).toEqual({ mine: "1", same: "theirs", theirs: "2" });
  await change(one.page);
  expect(await contents(one.page)).toEqual(expected);
  await exchange(all);
  for (const { page } of all) {
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual(expected);
  }
  expect(await counts(two)).toMatchObject({ merges: 1 });
});

it("a later change of another key does not bring back an earlier value of one that both have changed", async () => {
  await using all = await devices(2);
  const [one, two] = all;
  await one.page.put("x", "one");
  await two.page.put("x", "two");
  await exchange(all);
  for (const { page } of all) expect(await contents(page)).toEqual({ x: "two" });
  for (let at = 0; at < 3; at++) await one.page.put("y", `${at}`);
  expect(await contents(one.page)).toEqual({ x: "two", y: "2" });
  await exchange(all);
  expect(await contents(two.page)).toEqual({ x: "two", y: "2" });
  expect(await counts(two)).toEqual({ commits: 5, merges: 1 });
});

it("a change that undoes one that another device has made as well is not lost", async () => {
  await using all = await devices(2);
  const [one, two] = all;
  await one.page.put("there", "1");
  await exchange(all);
  for (const { page } of all) {
    await page.put("same", "1");
    await page.delete("there");
  }
  await exchange(all);
  await one.page.delete("same");
  await two.page.put("there", "1");
  expect(await contents(one.page)).toEqual({});
  expect(await contents(two.page)).toEqual({ same: "1", there: "1" });
  await exchange(all);
  for (const { page } of all) {
    expect(await contents(page)).toEqual({ there: "1" });
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ there: "1" });
  }
});

it("a transaction sees and follows the heads of its beginning", async () => {
  await using all = await devices(2);
  const [one, two] = all;
  await one.page.put("a", "1");
  await two.page.put("b", "2");
  await exchange(all);
  await one.page.transaction(async (transaction) => {
    await two.page.put("c", "3");
    await one.courier.bring(two.courier);
    expect(await contents(one.page)).toEqual({ a: "1", b: "2" });
    await transaction.clear();
    await transaction.put("d", "4");
  });
  expect(await contents(one.page)).toEqual({ c: "3", d: "4" });
});

it("changes that no resolver is needed for are shown; a change of the same key merges first", async () => {
  const asked = new Asked();
  await using all = await devices(2, {
    policy: "automatic-with-fallback",
    resolve: (conflict) => asked.note(conflict),
  });
  const [one, two] = all;
  await one.page.put("a", "1");
  await two.page.put("b", "2");
  await exchange(all);
  expect(await contents(one.page)).toEqual({ a: "1", b: "2" });
  await one.page.put("b", "3");
  await exchange(all);
  expect(await contents(two.page)).toEqual({ a: "1", b: "3" });
  // Now both change a key.
  await one.page.put("c", "one");
  await two.page.put("c", "two");
  await exchange(all);
  expect(await contents(one.page)).toEqual({ a: "1", b: "3", c: "one" });
  expect(await contents(two.page)).toEqual({ a: "1", b: "3", c: "two" });
  expect(asked.conflicts).toEqual([]);
  await one.page.put("d", "4");
  await one.page.waitForConflictResolution();
  expect(asked.conflicts).toHaveLength(1);
});

it("a page whose program resolves all merges shows its own side until then", async () => {
  await using all = await devices(2, {
    policy: "custom",
    resolve: (conflict) => conflict.mergeNonConflicting(),
  });
  const [one, two] = all;
  await one.page.put("a", "1");
  await two.page.put("b", "2");
  await exchange(all);
  expect(await contents(one.page)).toEqual({ a: "1" });
  await one.page.waitForConflictResolution();
  expect(await contents(one.page)).toEqual({ a: "1", b: "2" });
});

it("what merges by prefix would make is shown before, also after an opening, and later changes follow it", async () => {
  const policy = mergeByPrefix({ "n/": mergeCounters, "s/": mergeSets });
  await using all = await devices(2, policy);
  const [one, two] = all;
  const long = (name: string): string => `${name}${"x".repeat(100)}`;
  await two.page.put("theirs", long("theirs"));
  await two.page.put("n/a", "2");
  await two.page.put("s/a", JSON.stringify([long("b")]));
  await one.page.put("mine", "1");
  await one.page.put("n/a", "3");
  await one.page.put("s/a", JSON.stringify([long("a")]));
  await exchange(all);
  const both = { theirs: long("theirs"), "n/a": "5", "s/a": JSON.stringify([long("a"), long("b")]) };
  for (const device of all) {
    expect(await contents(device.page)).toEqual({ ...both, mine: "1" });
    expect(await counts(device)).toMatchObject({ merges: 0 });
  }
  // Nobody else has changed this key.
  await one.page.put("mine", "2");
  expect(await contents(one.page)).toEqual({ ...both, mine: "2" });
  expect(await counts(one)).toMatchObject({ merges: 0 });
  await one.ledger.close();
  expect(faultsOf(await readStored(one.place))).toEqual([]);
  await using ledger = await testLedger({ cloud: one.courier, clock: ticking(100_000n) }, one.place);
  ledger.setConflictResolver(() => policy);
  const page = await ledger.rootPage();
  await macrotasks(2);
  expect(await contents(page)).toEqual({ ...both, mine: "2" });
  await page.delete("mine");
  await page.put("n/a", "6");
  expect(await contents(page)).toEqual({ ...both, "n/a": "6" });
  await two.courier.bring(one.courier);
  await macrotasks(2);
  expect(await contents(two.page)).toEqual({ ...both, "n/a": "6" });
  await two.page.waitForConflictResolution();
  expect(await contents(two.page)).toEqual({ ...both, "n/a": "6" });
});

it("a snapshot of what several merges would make stays whole when later ones take other steps", async () => {
  await using all = await devices(4, mergeByPrefix({ "s/": mergeSets }));
  const [one, two, three, four] = all;
  await one.page.transaction(async (tx) => {
    for (let key = 0; key < 2000; key++) await tx.put(`k${key + 1000}`, `${key}`);
  });
  await exchange(all);
  const long = (name: string): string => JSON.stringify([name.repeat(50)]);
  await one.page.put("s/a", long("one"));
  await two.page.put("s/a", long("two"));
  for (let at = 0; at < 9; at++) await three.page.put("k1000", `far away ${at}`); // the newest head
  for (const { courier } of [one, two, three]) await four.courier.bring(courier);
  await macrotasks(2);
  await using snapshot = await four.page.snapshot();
  const before = await contents(four.page);
  expect(before["s/a"]).toBe(JSON.stringify(["one".repeat(50), "two".repeat(50)]));
  for (let at = 0; at < 20; at++) await one.page.put("s/a", long(`${at}`)); // now this one is
  await four.courier.bring(one.courier);
  expect(await contents(four.page)).not.toEqual(before);
  expect(await contents(snapshot)).toEqual(before);
  await snapshot.close();
});

it("a change shows nothing but itself although its head is merged after the others from then on", async () => {
  await using all = await devices(3);
  const [one, two, three] = all;
  for (const { page } of [two, three]) await page.put("a", "same");
  await three.page.put("a", "other");
  await one.courier.bring(two.courier);
  await one.courier.bring(three.courier);
  await macrotasks(2);
  await one.page.put("name", "1");
  for (let at = 0; at < 3; at++) await two.page.put("b", `${at}`);
  for (let at = 0; at < 3; at++) await three.page.put("c", `${at}`);
  await three.page.clear();
  await exchange(all);
  expect(await contents(one.page)).toEqual({ b: "2", name: "1" });
  await one.page.put("mine", "1");
  expect(await contents(one.page)).toEqual({ b: "2", mine: "1", name: "1" });
  await exchange(all);
  for (const { page } of all) {
    await page.waitForConflictResolution();
    expect(await contents(page)).toEqual({ b: "2", mine: "1", name: "1" });
  }
});

it.each<[string, PagePolicy | undefined]>([
  ["no resolver", undefined],
  ["merges by prefix", mergeByPrefix({ "n/": mergeCounters })],
])(
  "a page with several heads shows them all as soon as it is opened without a cloud: %s",
  async (_, policy) => {
    await using all = await devices(3, policy);
    const [one, two] = all;
    for (const [at, { page }] of all.entries()) await page.put(`${at}`, `${at}`);
    await exchange(all);
    expect(await two.page.heads()).toHaveLength(3);
    for (const { ledger, place } of [one, two]) {
      await ledger.close();
      await using alone = await testLedger({}, place);
      if (policy !== undefined) alone.setConflictResolver(() => policy);
      expect(await contents(await alone.rootPage())).toEqual({ 0: "0", 1: "1", 2: "2" });
    }
  },
);

it("a resolver may wait for the opening of its page, and may take long", async () => {
  await using all = await devices(2);
  const [one] = all;
  for (const [at, { page }] of all.entries()) await page.put("key", `${at}`);
  await exchange(all);
  await all.close();
  const gate = new Gate();
  for (const isLate of [true, false]) {
    await using alone = await testLedger({}, one.place);
    const use = (): PagePolicy => ({ policy: "custom", resolve: () => gate.opened });
    alone.setConflictResolver(isLate ? () => gate.opened.then(use) : use);
    const page = await alone.rootPage();
    expect(await page.heads()).toHaveLength(2);
  }
});

it("a clock that was set back does not make later changes lose", async () => {
  let now = 5000n;
  const [cloud, other] = Courier.network(2) as [Courier, Courier];
  await using one = await testLedger({ cloud, clock: () => now });
  await using two = await testLedger({ cloud: other, clock: () => 4000n });
  const [page1, page2] = [await one.rootPage(), await two.rootPage()];
  await page1.put("name", "before");
  now = 100n;
  await other.bring(cloud);
  await page2.put("name", "between");
  await cloud.bring(other);
  await page1.put("name", "after");
  await page2.put("name", "meanwhile");
  await page1.put("name", "last");
  await cloud.bring(other);
  await page1.waitForConflictResolution();
  const times = (await listOf(page1.history())).map(({ timestamp }) => timestamp);
  expect(times.toSorted()).toEqual([0n, 5000n, 5001n, 5002n, 5002n, 5003n, 5003n]);
  expect(await contents(page1)).toEqual({ name: "last" });
});

it("heads are merged after 8 to 16 round trips although changes never stop", async () => {
  const roundTrip = 1000;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    await using all = await devices(2, undefined, roundTrip);
    const [one, other] = all;
    await one.page.put("a", "1");
    await other.page.put("b", "1");
    await exchange(all);
    const start = performance.now();
    let merged = 0;
    for (let put = 0; merged === 0 && put < 100; put++) {
      await one.page.put("a", `${put}`);
      // The page never rests for a whole round trip.
      vi.advanceTimersByTime(roundTrip / 2);
      for (let turn = 0; turn < 50; turn++) await macrotasks(1);
      if ((await counts(one)).merges > 0) merged = performance.now() - start;
    }
    expect(merged).toBeGreaterThanOrEqual(8 * roundTrip);
    expect(merged).toBeLessThanOrEqual(17 * roundTrip);
    expect(await contents(one.page)).toMatchObject({ b: "1" });
  } finally {
    vi.useRealTimers();
  }
});
