/** Commits of a page, its heads, merges, and unsynced commits. */

import { compareBytes, toHex } from "merostore/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { commitEdgeRow, headRow, mergeRow } from "../../src/rows/page-rows.js";
import { type Commit, FIRST_COMMIT_ID, newCommit } from "../../src/storage/commit.js";
import { readPageState } from "../../src/storage/page-state.js";
import { named } from "../inputs.js";
import { TestPage } from "./pages.js";

let page: TestPage;
let first: Commit;
beforeEach(async () => {
  page = await TestPage.open();
  first = await page.head();
});

const heads = () => page.storage.heads.all.map(({ id }) => toHex(id));
const ids = (commits: readonly Commit[]) => commits.map(({ id }) => toHex(id));
const put = (value: string) => (journal: { put(key: string, value: string): void }) =>
  journal.put("key", value);

describe("heads", () => {
  it("are the first commit at first, which has no row", async () => {
    expect(heads()).toEqual([toHex(FIRST_COMMIT_ID)]);
    expect(await page.headCommits()).toEqual([first]);
    expect(await page.commits()).toEqual([]);
  });

  it("move on with each commit, and stay in one place for each branch", async () => {
    const a = await page.edit(put("a"));
    expect(heads()).toEqual(ids([a]));
    const b = await page.commit([first], put("b"));
    const c = await page.commit([a], put("c"));
    expect(heads()).toEqual(ids([b, c]));
    const merge = await page.commit([b, c], () => {});
    expect(heads()).toEqual(ids([merge]));
    expect((await page.partsOf(headRow)).map(({ commit }) => toHex(commit))).toEqual(ids([merge]));
  });

  it("are in the order of their times, then of their ids", async () => {
    const made: Commit[] = [];
    for (const [at, time] of [0n, 2n ** 63n - 1n, 0n, -(2n ** 63n), 5n, 0n].entries()) {
      page.now = time;
      made.push(await page.commit([first], put(`value ${at}`)));
    }
    const expected = made.toSorted((x, y) =>
      x.timestamp === y.timestamp ? compareBytes(x.id, y.id) : x.timestamp < y.timestamp ? -1 : 1,
    );
    expect(heads()).toEqual(ids(expected));
    // A reopened page reads its heads from rows in the order of ids, and sorts them by time.
    const again = await TestPage.open({}, page.engine);
    expect(again.storage.heads.all.map(({ id }) => toHex(id))).toEqual(ids(expected));
  });

  it("without a commit, or of another time, are damage", async () => {
    const lost = new Uint8Array(32).fill(7);
    await page.engine.write([headRow.put({ commit: lost }, 5n)]);
    const again = await TestPage.open({}, page.engine);
    await expect(again.headCommits()).rejects.toThrow(`the head ${toHex(lost)} has no commit`);
    const a = await page.edit(put("a"));
    await page.engine.write([headRow.delete({ commit: lost }), headRow.put({ commit: a.id }, 5n)]);
    const third = await TestPage.open({}, page.engine);
    await expect(third.headCommits()).rejects.toThrow("has another time than its commit");
  });
});

describe("merges", () => {
  it("are found by their parents in either order", async () => {
    const a = await page.commit([first], put("a"));
    const b = await page.commit([first], put("b"));
    expect(await page.storage.commits.mergesOf(a.id, b.id)).toEqual([]);
    const one = await page.commit([a, b], () => {});
    const other = await page.commit([a, b], put("c"));
    const expected = [one.id, other.id].sort(compareBytes);
    expect(await page.storage.commits.mergesOf(a.id, b.id)).toEqual(expected);
    expect(await page.storage.commits.mergesOf(b.id, a.id)).toEqual(expected);
    expect(await page.storage.commits.mergesOf(a.id, one.id)).toEqual([]);
    const [left, right] = [a.id, b.id].sort(compareBytes);
    for (const parts of await page.partsOf(mergeRow)) expect(parts).toMatchObject({ left, right });
  });

  it("that come out the same twice are one commit", async () => {
    const a = await page.commit([first], put("a"));
    const b = await page.commit([first], put("b"));
    const one = await page.commit([a, b], put("c"));
    const two = await page.commit([a, b], put("c"));
    expect(two.id).toEqual(one.id);
    expect(heads()).toEqual(ids([one]));
  });
});

describe("commits with equal contents", () => {
  it("have one root with an edge from each", async () => {
    const long = "a value that is too long for a digest";
    const a = await page.commit([first], put(long));
    const b = await page.commit([first], put(long));
    expect(a.id).not.toEqual(b.id);
    expect(b.root).toEqual(a.root);
    const edges = await page.partsOf(commitEdgeRow);
    expect(edges.map(({ destination }) => toHex(destination))).toEqual([named(a.root), named(a.root)]);
    expect(edges.map(({ commit }) => commit)).toEqual([a.id, b.id].sort(compareBytes));
  });

  it("on equal parents at the same time are one", async () => {
    page.now = 5n;
    const a = await page.commit([first], put("a"));
    page.now = 5n;
    const b = await page.commit([first], put("a"));
    expect(b.id).toEqual(a.id);
    expect(heads()).toEqual(ids([a]));
  });

  it("that clear the page need no edge: their root has no row", async () => {
    const a = await page.edit(put("a"));
    const cleared = await page.edit((journal) => journal.clear());
    expect(await readPageState(page.engine)).toMatchObject({ empty: true });
    const edges = await page.partsOf(commitEdgeRow);
    expect(edges.map(({ commit }) => commit)).toEqual([a.id]);
    expect(cleared.root).toEqual(first.root);
  });
});

describe("commits from elsewhere", () => {
  it("are added once", async () => {
    const a = newCommit([first], first.root, 5n);
    await page.storage.addCommits([a], "synced");
    const b = newCommit([a], first.root, 6n);
    await page.storage.addCommits([b], "synced");
    const told: Commit[] = [];
    page.storage.heads.onCommits((commits) => told.push(...commits));
    await page.storage.addCommits([a, b], "synced");
    expect(heads()).toEqual(ids([b]));
    expect(told).toEqual([]);
  });

  it.each([
    ["before their parents", (a: Commit, b: Commit) => [b, a]],
    ["without their parents", (_: Commit, b: Commit) => [b]],
  ])("are refused %s, all together", async (_, order) => {
    const a = newCommit([first], first.root, 5n);
    const b = newCommit([a], first.root, 6n);
    const before = await page.rows();
    await expect(page.storage.addCommits(order(a, b), "synced")).rejects.toThrow(
      expect.objectContaining({ code: "COMMIT_NOT_FOUND", message: expect.stringContaining(toHex(a.id)) }),
    );
    expect(await page.rows()).toEqual(before);
    expect(heads()).toEqual(ids([first]));
  });
});
