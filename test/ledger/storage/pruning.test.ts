/** Removing commits that nothing needs. */
import { beforeEach, describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { commitReferenceRow, mergeRow, unsyncedCommitRow } from "../../../src/ledger/rows/page-rows.js";
import type { Commit } from "../../../src/ledger/storage/commit.js";
import { commitsToPrune } from "../../../src/ledger/storage/pruner.js";
import { TestPage } from "./pages.js";

let page: TestPage;
let first: Commit;
beforeEach(async () => {
  page = await TestPage.open({ prune: true });
  first = await page.head();
});

const put = (value: string) => (journal: { put(key: string, value: string): void }) =>
  journal.put("key", value);
const ids = (commits: readonly Commit[]) => commits.map(({ id }) => toHex(id)).sort();

/** The commits that are left once all is tidied up. */
async function left(): Promise<string[]> {
  await page.storage.tidy();
  return ids(await page.commits());
}

describe("pruning", () => {
  it("leaves the head of a page without branches, and all rows of that", async () => {
    for (const value of ["a", "b", "c"]) await page.edit(put(value));
    const head = await page.head();
    expect(await left()).toEqual(ids([head]));
    expect(await page.partsOf(commitReferenceRow)).toMatchObject([{ commit: head.id }]);
    expect(await page.partsOf(unsyncedCommitRow)).toEqual([{ commit: head.id }]);
    expect(await page.contents(head)).toEqual({ key: "c" });
  });

  it("does not happen unless it is asked for", async () => {
    const kept = await TestPage.open({ prune: false, collection: "eager-root-nodes" });
    for (const value of ["a", "b", "c"]) await kept.edit(put(value));
    await kept.storage.tidy();
    expect(await kept.commits()).toHaveLength(3);
  });

  it("leaves the last commit that branches have in common, and what came after it", async () => {
    await page.edit(put("a"));
    const common = await page.edit(put("b"));
    const release = page.storage.liveCommits.hold(common.id);
    const one = await page.commit([common], put("c"));
    const two = await page.commit([one], put("d"));
    const other = await page.commit([common], put("e"));
    release();
    expect(await left()).toEqual(ids([common, one, two, other]));
  });

  it("leaves nothing before a merge, and of it what says that it is one", async () => {
    const a = await page.commit([first], put("a"));
    const b = await page.commit([first], put("b"));
    const c = await page.commit([b], put("c"));
    const merge = await page.commit([a, c], () => {});
    expect(await left()).toEqual(ids([merge]));
    expect(await page.storage.commits.mergesOf(a.id, c.id)).toEqual([merge.id]);
    const next = await page.edit(put("d"));
    expect(await left()).toEqual(ids([next]));
    expect(await page.partsOf(mergeRow)).toEqual([]);
  });

  it("spares what somebody holds, and what came after it", async () => {
    await page.edit(put("a"));
    const held = await page.edit(put("b"));
    const release = page.storage.liveCommits.hold(held.id);
    const again = page.storage.liveCommits.hold(held.id);
    const next = await page.edit(put("c"));
    const head = await page.edit(put("d"));
    expect(await left()).toEqual(ids([held, next, head]));
    release();
    release();
    expect(await left()).toEqual(ids([held, next, head]));
    again();
    expect(await left()).toEqual(ids([head]));
  });

  it("removes nothing while the first commit is held", async () => {
    const release = page.storage.liveCommits.hold(first.id);
    const a = await page.edit(put("a"));
    const b = await page.edit(put("b"));
    expect(await left()).toEqual(ids([a, b]));
    release();
    expect(await left()).toEqual(ids([b]));
  });

  it("goes on where it was broken off", async () => {
    const kept = await TestPage.open({ prune: false });
    const commits = [];
    for (const value of ["a", "b", "c", "d"]) commits.push(await kept.edit(put(value)));
    const [a, b, c, d] = commits as [Commit, Commit, Commit, Commit];
    const { commits: store } = kept.storage;
    expect(ids(await commitsToPrune(store, [d.id]))).toEqual(ids([a, b, c]));
    // Oldest first: whatever is left hangs together.
    expect(await commitsToPrune(store, [d.id])).toEqual([a, b, c]);
    await kept.engine.write(store.remove(a));
    expect(await commitsToPrune(store, [d.id])).toEqual([b, c]);
  });
});

describe("commitsToPrune", () => {
  it("are the strict ancestors of the last commit that all have in common", async () => {
    const kept = await TestPage.open({ prune: false });
    const root = await kept.head();
    const a = await kept.commit([root], put("a"));
    const b = await kept.commit([a], put("b"));
    const left1 = await kept.commit([b], put("l1"));
    const left2 = await kept.commit([left1], put("l2"));
    const right = await kept.commit([b], put("r"));
    const merge1 = await kept.commit([left2, right], put("m1"));
    const merge2 = await kept.commit([right, left2], put("m2"));
    const ask = async (...live: Commit[]) =>
      ids(
        await commitsToPrune(
          kept.storage.commits,
          live.map(({ id }) => id),
        ),
      );
    expect(await ask(merge1)).toEqual(ids([a, b, left1, left2, right]));
    // Both merges have both branches in common, but only `b` is an ancestor of all.
    expect(await ask(merge1, merge2)).toEqual(ids([a]));
    expect(await ask(left2, right)).toEqual(ids([a]));
    expect(await ask(left2, left1)).toEqual(ids([a, b]));
    expect(await ask(merge1, a)).toEqual([]);
    expect(await ask(merge1, root)).toEqual([]);
    expect(await ask()).toEqual([]);
  });
});
