/** Heads, commits and old states of a page. */

import { toHex } from "merostore/internal";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import { type FolderCloud, folderCloud, type Ledger, memoryPlace, type Page } from "../../src/index.js";
import { faultsOf, readStored } from "../stored.js";
import { begin, contents, Gate, headOf, macrotasks, PAGE, testLedger, ticking, twoOf } from "../support.js";

const FIRST = "00".repeat(32);
cleanUpAfterEach();
let ledger: Ledger;
let page: Page;
let place: ReturnType<typeof memoryPlace>;

async function open(history?: "keep" | "prune"): Promise<void> {
  ledger = await testLedger({ history, clock: ticking(1000n) }, place);
  page = await ledger.rootPage();
}

const commits = () => listOf(page.history());

beforeEach(async () => {
  place = memoryPlace();
  await open("keep");
});

describe("the history", () => {
  it("of a new page is its first commit", async () => {
    const first = { generation: 0n, timestamp: 0n, parents: [], pruned: [], isHead: true, isUnsynced: false };
    expect(await commits()).toEqual([{ id: new Uint8Array(32), ...first }]);
    expect(await page.heads()).toEqual(await commits());
    await ledger.close();
  });

  it("has every commit, children first, with time, parents and marks", async () => {
    for (const name of ["a", "b", "c"]) await page.put("name", name);
    const found = await commits();
    expect(found.map(({ generation }) => generation)).toEqual([3n, 2n, 1n, 0n]);
    expect(found.map(({ timestamp }) => timestamp)).toEqual([1002n, 1001n, 1000n, 0n]);
    expect(found.map(({ isHead }) => isHead)).toEqual([true, false, false, false]);
    expect(found.map(({ isUnsynced }) => isUnsynced)).toEqual([true, true, true, false]);
    for (const [at, { parents }] of found.slice(0, 3).entries()) expect(parents).toEqual([found[at + 1]?.id]);
    expect(found[0]?.id).toEqual(await headOf(page));
    expect(await page.heads()).toEqual(found.slice(0, 1));
    await ledger.close();
  });

  it("has both sides of a merge, each once", async () => {
    const [one, two] = await twoOf(ledger);
    const tx = await begin(one);
    await two.put("b", "2");
    await tx.put("a", "1");
    await tx.commit();
    await page.waitForConflictResolution();
    const found = await commits();
    expect(found.map(({ generation }) => generation)).toEqual([2n, 1n, 1n, 0n]);
    expect(found[0]?.parents.map(toHex).sort()).toEqual(
      found
        .slice(1, 3)
        .map(({ id }) => toHex(id))
        .sort(),
    );
    await ledger.close();
  });

  it("ends with CLOSED when the page is closed meanwhile", async () => {
    await page.put("a", "1");
    const iteration = page.history();
    await iteration.next();
    await page.close();
    await rejection(iteration.next(), "CLOSED");
    await rejection(page.history().next(), "CLOSED");
    await rejection(page.heads(), "CLOSED");
    await rejection(page.snapshotAt(FIRST), "CLOSED");
    await ledger.close();
  });
});

describe("a snapshot of an old commit", () => {
  it("shows the page as it was, after the page was opened again too", async () => {
    const large = (name: string) => `${name} `.repeat(40_000);
    for (let at = 0; at < 5; at++) await page.put(`key${at % 2}`, large(`${at}`));
    await page.clear();
    for (let round = 0; round < 2; round++) {
      const states: unknown[] = [];
      for (const { id } of await commits()) {
        await using snapshot = await page.snapshotAt(round === 0 ? id : toHex(id));
        expect(snapshot.commitId).toEqual(id);
        states.push(await contents(snapshot));
      }
      const expected = [
        {},
        { key0: large("4"), key1: large("3") },
        { key0: large("2"), key1: large("3") },
        { key0: large("2"), key1: large("1") },
        { key0: large("0"), key1: large("1") },
        { key0: large("0") },
        {},
      ];
      expect(states).toEqual(expected);
      await ledger.close();
      expect(faultsOf(await readStored(place))).toEqual([]);
      await open("keep");
    }
    await ledger.close();
  });

  it("has a prefix, and refuses values that are not an id and unknown options", async () => {
    await page.put("a/1", "1");
    await page.put("b/1", "1");
    const id = await headOf(page);
    await using snapshot = await page.snapshotAt(id, { prefix: "b/" });
    expect(await contents(snapshot)).toEqual({ "b/1": "1" });
    for (const wrong of ["", "00", `${"0".repeat(63)}x`, new Uint8Array(31), undefined, 5])
      await rejection(page.snapshotAt(wrong as never), "INVALID_ARGUMENT");
    await rejection(page.snapshotAt(id, { form: "b" } as never), "INVALID_ARGUMENT");
    await ledger.close();
  });

  it("that was removed, or never was there, is COMMIT_NOT_FOUND", async () => {
    await page.put("name", "a");
    const old = await headOf(page);
    await page.put("name", "b");
    const error = await rejection(page.snapshotAt("ab".repeat(32)), "COMMIT_NOT_FOUND");
    expect(error.message).toContain("ab".repeat(32));
    await ledger.close();
    await open();
    await macrotasks(20);
    const removed = await rejection(page.snapshotAt(old), "COMMIT_NOT_FOUND");
    expect(removed.message).toContain('history: "keep"');
    const [head, ...others] = await commits();
    expect(others).toEqual([]);
    expect(head?.pruned).toEqual([old]);
    await using empty = await page.snapshotAt(FIRST);
    expect(await contents(empty)).toEqual({});
    await ledger.close();
  });
});

it("without the history a commit that an open snapshot needs stays, whoever holds it first", async () => {
  await ledger.close();
  place = memoryPlace();
  await open();
  await page.put("name", "0");
  // Its own connection moves on, so that nothing but the snapshots holds the commits.
  const oldest = await page.snapshot();
  const ids: Uint8Array[] = [];
  for (let at = 1; at < 30; at++) {
    await page.put("name", `${at} `.repeat(100));
    ids.push(await headOf(page));
  }
  await macrotasks(50);
  const middle = await page.snapshotAt(ids[9] as Uint8Array);
  await oldest.close();
  await macrotasks(50);
  for (let at = 0; at < 5; at++) await page.put("name", `later ${at}`);
  await macrotasks(50);
  expect(await contents(middle)).toEqual({ name: "10 ".repeat(100) });
  await rejection(page.snapshotAt(ids[8] as Uint8Array), "COMMIT_NOT_FOUND");
  await using next = await page.snapshotAt(ids[10] as Uint8Array);
  expect(await contents(next)).toEqual({ name: "11 ".repeat(100) });
  await middle.close();
  await ledger.close();
});

it("a commit between branches can be held again while one of them is held", async () => {
  await ledger.close();
  place = memoryPlace();
  await open();
  const other = await ledger.rootPage();
  const begun = new Gate();
  const go = new Gate();
  await page.put("name", "base");
  const slow = other.transaction(async (tx) => {
    await tx.put("other", "1");
    begun.open();
    await go.opened;
  });
  await begun.opened;
  const ids: Uint8Array[] = [];
  for (let at = 0; at < 10; at++) {
    await page.put("name", `${at}`);
    ids.push(await headOf(page));
  }
  await macrotasks(50);
  const held = await page.snapshotAt(ids[4] as Uint8Array);
  go.open();
  await slow;
  await page.waitForConflictResolution();
  for (let at = 0; at < 5; at++) await page.put("after", `${at}`);
  await macrotasks(50);
  expect(await contents(held)).toEqual({ name: "4" });
  await held.close();
  await vi.waitFor(async () => expect(await commits()).toHaveLength(1), { timeout: 500_000 });
  await ledger.close();
  expect(faultsOf(await readStored(place))).toEqual([]);
});

it("a ledger with a cloud keeps its history and cannot prune it", async () => {
  await ledger.close();
  const cloud = { connect: () => Promise.reject(new Error("not called")) };
  await rejection(testLedger({ cloud, history: "prune" }), "INVALID_ARGUMENT");
  await rejection(testLedger({ history: "all" as never }), "INVALID_ARGUMENT");
});

it("a page that was in a cloud keeps its history without it, and syncs again", async () => {
  const [path, home] = [temporaryFolder(), memoryPlace()];
  const open = (at: typeof place, cloud?: FolderCloud) => testLedger({ cloud }, at);
  const cloudOf = () => folderCloud(path, { interval: 0 });
  const clouds = [cloudOf(), cloudOf(), cloudOf()] as const;
  const first = await open(home, clouds[0]);
  const page = await first.page(PAGE);
  await page.put("a", "1");
  await clouds[0].sync();
  await page.put("b", "not in the cloud yet");
  await first.close();
  await using other = await open(memoryPlace(), clouds[1]);
  const theirs = await other.page(PAGE);
  await clouds[1].sync();
  await theirs.put("c", "3");
  await clouds[1].sync();
  const without = await open(home);
  const alone = await without.page(PAGE);
  for (const value of ["4", "5"]) await alone.put("d", value);
  await macrotasks(50);
  await without.close();
  await using again = await open(home, clouds[2]);
  const own = await again.page(PAGE);
  expect(await clouds[2].sync()).toEqual({ waiting: 0 });
  await clouds[1].sync();
  for (const one of [own, theirs]) {
    await one.waitForConflictResolution();
    expect(await contents(one)).toEqual({ a: "1", b: "not in the cloud yet", c: "3", d: "5" });
  }
});
