/** Heads, commits and rows of merges: how they follow each other. */
import { compareBytes, equalBytes, fromHex, IdTable, isMerostoreError, toHex } from "merostore/internal";
import { objectType } from "../../objects.js";
import { commitRow, headRow, mergeRow } from "../../rows/page-rows.js";
import { type Commit, isFirst, readCommit } from "../../storage/commit.js";
import type { CheckedPage } from "../checked-page.js";
import { decodedValue, type PageRule, type Problem, problem, RESTORE } from "../finding.js";

export const heads: PageRule = {
  name: "heads",
  severity: "error",
  says: "A page has a head, and every head a commit with the same time.",
  means: "The page does not know its newest state, and may show an old one or fail to open.",
  advice: RESTORE,
  async *check(page) {
    let found = 0;
    for await (const rows of page.rowsOf(headRow))
      for (const stored of rows) {
        const { parts } = stored;
        found++;
        page.count(1);
        const commit = await page.commit(parts.commit);
        const said = (message: string): Problem => problem("error", headRow, parts, message);
        if (commit === undefined) yield said("its commit is not there");
        else if (commit !== "damaged" && decodedValue(headRow, stored) !== commit.timestamp)
          yield said("its commit has another time");
        if (isFirst(parts.commit) && (await page.any(commitRow.range())))
          yield said("the state before the first commit is a head, and there are commits");
      }
    // A page without rows is new.
    if (found === 0 && (await page.any({})))
      yield { severity: "error", kind: headRow.kind, key: HEADS, message: "the page has no head" };
  },
};

const HEADS = toHex(headRow.key.prefix({}));

export const commits: PageRule = {
  name: "commits",
  severity: "error",
  says: "A commit's id is the hash of its bytes, its generation and its time follow from its parents.",
  means: "The history of the page is damaged: a commit was changed, or names wrong parents.",
  advice: RESTORE,
  async *check(page) {
    for await (const rows of page.rowsOf(commitRow))
      for (const { parts, value } of rows) {
        page.count(1);
        try {
          yield* ofCommit(page, readCommit(parts.commit, value));
        } catch (error) {
          if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
          yield problem("error", commitRow, parts, error.message);
        }
      }
  },
};

async function* ofCommit(page: CheckedPage, commit: Commit): AsyncGenerator<Problem, void, undefined> {
  const said = (message: string): Problem => problem("error", commitRow, { commit: commit.id }, message);
  const [first, second] = commit.parents as [Uint8Array, Uint8Array | undefined];
  if (second !== undefined && compareBytes(first, second) >= 0) yield said("its parents are out of order");
  if (objectType(commit.root.digest) !== "tree-node") yield said("its root is not a tree node");
  const found = await Promise.all(commit.parents.map((id) => page.commit(id)));
  const parents = found.filter((parent) => parent !== undefined && parent !== "damaged");
  // The other parents were pruned, or are damaged: findings about their own rows say so.
  const isComplete = parents.length === commit.parents.length;
  const generation = 1n + greatest(parents.map((parent) => parent.generation));
  if (isComplete ? commit.generation !== generation : commit.generation < generation)
    yield said(`its generation is ${commit.generation}, those of its parents make it ${generation}`);
  if (isComplete && second !== undefined && commit.timestamp !== greatest(parents.map((p) => p.timestamp)))
    yield said("it is a merge, and its time is not that of its later parent");
}

function greatest(numbers: readonly bigint[]): bigint {
  return numbers.reduce((a, b) => (a > b ? a : b), 0n);
}

export const tips: PageRule = {
  name: "tips",
  severity: "error",
  says: "The heads are exactly the commits after which no other comes.",
  means: "Part of the history is not reached from the newest state, or an old state counts as new.",
  advice: RESTORE,
  async *check(page) {
    const parents = new IdTable();
    let undamaged = 0;
    for await (const batch of page.commits()) {
      undamaged += batch.length;
      for (const commit of batch) for (const parent of commit.parents) parents.add(parent);
    }
    let stored = 0;
    const loose: Problem[] = [];
    const heads = await page.heads();
    for (const head of heads) {
      const commit = fromHex(head);
      if (parents.has(commit))
        yield problem("error", headRow, { commit }, "it is a head, and another commit comes after it");
    }
    for await (const rows of page.rowsOf(commitRow, { keysOnly: true }))
      for (const { parts } of rows) {
        stored++;
        if (!heads.has(toHex(parts.commit)) && !parents.has(parts.commit) && loose.length < MOST_LOOSE)
          loose.push(problem("error", commitRow, parts, "no commit comes after it, and it is not a head"));
      }
    page.count(stored);
    // An unreadable commit may follow it.
    if (stored === undamaged) yield* loose;
  },
};

/** The most findings of this kind: a page that lost all its heads has one for each branch. */
const MOST_LOOSE = 1000;

export const merges: PageRule = {
  name: "merges",
  severity: "error",
  says: "The rows of merges are exactly those of the commits with two parents.",
  means: "The page may merge the same two states again.",
  advice: RESTORE,
  async *check(page) {
    let expected = 0;
    for await (const batch of page.commits()) {
      const wanted = batch.flatMap(mergeOf);
      const there = await page.present(wanted.map((parts) => mergeRow.key.encode(parts)));
      expected += there.filter(Boolean).length;
      page.count(wanted.length);
      for (const [at, parts] of wanted.entries())
        if (!there[at])
          yield problem("error", mergeRow, parts, "a commit merges these two, and its row is missing");
    }
    let stored = 0;
    for await (const rows of page.rowsOf(mergeRow, { keysOnly: true })) stored += rows.length;
    if (stored === expected) return;
    for await (const rows of page.rowsOf(mergeRow, { keysOnly: true }))
      for (const { parts } of rows) {
        const commit = await page.commit(parts.commit);
        if (commit === "damaged") continue;
        if (commit === undefined)
          yield problem("error", mergeRow, parts, "the commit that merges is not there");
        else if (
          !mergeOf(commit).some(
            ({ left, right }) => equalBytes(left, parts.left) && equalBytes(right, parts.right),
          )
        )
          yield problem("error", mergeRow, parts, "the commit has other parents");
      }
  },
};

/** The merge row of a commit; empty for a commit with one parent. */
function mergeOf({
  id,
  parents: [a, b],
}: Commit): { left: Uint8Array; right: Uint8Array; commit: Uint8Array }[] {
  if (a === undefined || b === undefined) return [];
  return [compareBytes(a, b) <= 0 ? { left: a, right: b, commit: id } : { left: b, right: a, commit: id }];
}
