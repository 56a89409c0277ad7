/** Removing commits that nothing needs. */

import { toHex } from "merostore/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { commitEdgeRow, mergeRow, unsyncedCommitRow } from "../../src/rows/page-rows.js";
import { byGeneration, type Commit } from "../../src/storage/commit.js";
import { History } from "../../src/storage/history.js";
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
  await page.storage.collectGarbage();
  return ids(await page.commits());
}

describe("pruning", () => {
  it("leaves the head of a page without branches, and all rows of that", async () => {
    for (const value of ["a", "b", "c"]) await page.edit(put(value));
    const head = await page.head();
    expect(await left()).toEqual(ids([head]));
    expect(await page.partsOf(commitEdgeRow)).toMatchObject([{ commit: head.id }]);
    expect(await page.partsOf(unsyncedCommitRow)).toEqual([{ commit: head.id }]);
    expect(await page.contents(head)).toEqual({ key: "c" });
  });

  it("does not happen unless it is asked for", async () => {
    const kept = await TestPage.open({ prune: false, collection: "eager-root-nodes" });
    for (const value of ["a", "b", "c"]) await kept.edit(put(value));
    await kept.storage.collectGarbage();
    expect(await kept.commits()).toHaveLength(3);
  });

  it("keeps the last common commit of branches, and later commits", async () => {
    await page.edit(put("a"));
    const common = await page.edit(put("b"));
    const release = page.storage.commitHolds.hold(common.id);
    const one = await page.commit([common], put("c"));
    const two = await page.commit([one], put("d"));
    const other = await page.commit([common], put("e"));
    release();
    expect(await left()).toEqual(ids([common, one, two, other]));
  });

  it("removes everything before a merge, and keeps the rows that mark it as a merge", async () => {
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

  it("keeps held commits and later ones", async () => {
    await page.edit(put("a"));
    const held = await page.edit(put("b"));
    const release = page.storage.commitHolds.hold(held.id);
    const again = page.storage.commitHolds.hold(held.id);
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
    const release = page.storage.commitHolds.hold(first.id);
    const a = await page.edit(put("a"));
    const b = await page.edit(put("b"));
    expect(await left()).toEqual(ids([a, b]));
    release();
    expect(await left()).toEqual(ids([b]));
  });
});

describe("the history", () => {
  /** The commits that are removed once only these are in use. */
  const removed = async (history: History, ...inUse: Commit[]) =>
    ids(await commitsOf(history.advance((id) => inUse.some((commit) => toHex(commit.id) === toHex(id)))));
  let kept: TestPage;
  let root: Commit;
  const commitsOf = (found: readonly Uint8Array[]) =>
    Promise.all(found.map((id) => kept.storage.commits.get(id)));
  const load = (...inUse: Commit[]) =>
    History.load(
      kept.storage.commits,
      inUse.map(({ id }) => id),
    );
  beforeEach(async () => {
    kept = await TestPage.open({ prune: false });
    root = await kept.head();
  });

  it("removes the strict ancestors of the last commit that all have in common", async () => {
    const a = await kept.commit([root], put("a"));
    const b = await kept.commit([a], put("b"));
    const left1 = await kept.commit([b], put("l1"));
    const left2 = await kept.commit([left1], put("l2"));
    const right = await kept.commit([b], put("r"));
    const merge1 = await kept.commit([left2, right], put("m1"));
    const merge2 = await kept.commit([right, left2], put("m2"));
    const all = [root, a, b, left1, left2, right, merge1, merge2];
    /** The commits that are kept while all are in use. */
    const ask = async (...inUse: Commit[]) => {
      const history = await load(...all);
      const gone = await removed(history, ...inUse);
      expect(ids(all.filter(({ id }) => !history.has(id)))).toEqual(gone);
      // A history that is read from the commits in use alone begins at the same commit.
      const read = await load(...inUse);
      expect(all.filter(({ id }) => read.has(id) && !history.has(id))).toEqual([]);
      return gone;
    };
    expect(await ask(merge1, merge2)).toEqual(ids([root, a]));
    expect(await ask(left2, right, merge1, merge2)).toEqual(ids([root, a]));
    expect(await ask(merge1, merge2, a)).toEqual(ids([root]));
    expect(await ask(merge1, merge2, root)).toEqual([]);
    expect(await ask(merge1, merge2, b, right)).toEqual(ids([root, a]));
  });

  it("removes parents before their children, whatever was held in between", async () => {
    const history = await load(root);
    const line: Commit[] = [root];
    const add = async (...parents: [Commit] | [Commit, Commit]): Promise<Commit> => {
      const commit = await kept.commit(parents, put(`${line.length}`));
      history.add(commit);
      line.push(commit);
      return commit;
    };
    const a = await add(root);
    const b = await add(a);
    const c = await add(a);
    expect(await removed(history, b, c)).toEqual(ids([root]));
    const d = await add(c);
    expect(await removed(history, b, c, d)).toEqual([]);
    const merge = await add(b, d);
    expect(await removed(history, c, merge)).toEqual([]);
    const next = await add(merge);
    const gone = await commitsOf(history.advance((id) => toHex(id) === toHex(next.id)));
    expect(gone).toEqual([a, b, c, d, merge].sort(byGeneration));
    expect(history.has(next.id)).toBe(true);
  });

  it("goes back for a commit whose parent was removed", async () => {
    const a = await kept.commit([root], put("a"));
    const b = await kept.commit([a], put("b"));
    const history = await load(b);
    const other = await kept.commit([root], put("c"));
    history.add(other);
    expect(await removed(history, b, other)).toEqual([]);
    const merge = await kept.commit([b, other], put("d"));
    history.add(merge);
    expect(await removed(history, merge)).toEqual(ids([root, b, other]));
  });

  it("finds commits that were left, also where some between them are missing", async () => {
    const a = await kept.commit([root], put("a"));
    const left = await kept.commit([a], put("l"));
    const right = await kept.commit([a], put("r"));
    await kept.commit([left, right], put("m"));
    await kept.engine.write(kept.storage.commits.remove(a));
    const history = await load(left, right);
    expect(history.has(root.id)).toBe(true);
    const again = await TestPage.open({ prune: true, collection: "eager-root-nodes" }, kept.engine);
    await again.storage.collectGarbage();
    expect(ids(await again.commits())).toEqual(ids([await again.head()]));
  });
});
