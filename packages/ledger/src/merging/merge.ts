/** Merges two commits. */

import { toHex } from "merostore/internal";
import { byGeneration, byTime, type Commit } from "../storage/commit.js";
import type { CommitStore } from "../storage/commit-store.js";
import { type ChangeSet, NO_CHANGES } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import { damage } from "../tables/table-reader.js";
import type { EntryChange } from "../tree/apply.js";
import { diffThreeWay, diffTrees } from "../tree/diff.js";
import { Conflict, isConflict, type MergedPage, type Sides, sameEntry } from "./conflict.js";
import type { PagePolicy } from "./resolver.js";

/** The source of the commits to merge, and the destination of the merge: the page, or memory only. */
export interface MergeTarget {
  readonly commits: Pick<CommitStore, "find" | "get" | "mergesOf">;
  /** True if new values of the merge stay in memory, as pieces of its changes. */
  readonly isMemory?: boolean;
  /**
   * @param changes of the tree of `base`
   * @param contested the keys, in hex, that both sides have changed, if they are known
   */
  store(base: Commit, other: Commit, changes: ChangeSet, contested?: ReadonlySet<string>): Promise<Commit>;
}

/** The conflict resolver of the program has failed: `cause` is its error. */
export class ResolverFailure extends Error {}

const NOT_CONTESTED: ReadonlySet<string> = new Set();

/** The target that stores merges in the page. */
function storedMerges(storage: PageStorage): MergeTarget {
  return {
    commits: storage.commits,
    // A merge is always stored.
    store: async (base, other, changes) => (await storage.commit([base, other], changes)) as Commit,
  };
}

/**
 * Merges commits, always the two oldest ones, until one is left. Devices that merge the same commits make the same
 * merges.
 * @param heads by (timestamp, id)
 */
export async function mergeAll(
  heads: readonly Commit[],
  merge: (a: Commit, b: Commit) => Promise<Commit>,
): Promise<Commit> {
  let [first, second, ...others] = heads;
  while (second !== undefined)
    [first, second, ...others] = [await merge(first as Commit, second), ...others].sort(byTime);
  return first as Commit;
}

/**
 * Merges two commits by a policy, and stores the merge. If one side has no commits of its own, the merge has the
 * entries of the other side.
 *
 * @param a the older commit by (timestamp, id)
 * @throws ResolverFailure, MerostoreError NETWORK_ERROR
 */
export async function mergeCommits(
  page: MergedPage,
  policy: PagePolicy,
  a: Commit,
  b: Commit,
  target: MergeTarget = storedMerges(page.storage),
): Promise<Commit> {
  const { storage } = page;
  const holds = [a, b].map(({ id }) => storage.commitHolds.hold(id));
  try {
    const { common, hasOwn } = await ancestryOf(target.commits, a, b);
    if (!hasOwn.a || !hasOwn.b) await storage.needTree(hasOwn.a ? a : b);
    if (!hasOwn.a) return await target.store(b, a, NO_CHANGES, NOT_CONTESTED);
    if (!hasOwn.b) return await target.store(a, b, NO_CHANGES, NOT_CONTESTED);
    const base = await mergeAncestors(page, policy, common, target);
    holds.push(storage.commitHolds.hold(base.id));
    for (const commit of [a, b, base]) await storage.needTree(commit);
    if (policy.policy === "last-one-wins") {
      const changes = await changesBetween(storage, base, b);
      return await target.store(a, b, { ...NO_CHANGES, changes });
    }
    const agreed = policy.policy === "custom" ? undefined : await agreedChanges(storage, base, b, a);
    if (agreed !== undefined) {
      const { changes, contested } = agreed;
      return await target.store(b, a, { ...NO_CHANGES, changes }, contested);
    }
    const sides = { newer: b, older: a, ancestor: base };
    return await resolved(page, (conflict) => policy.resolve(conflict), sides, target);
  } finally {
    for (const release of holds) release();
  }
}

/**
 * Returns the base of a merge. After a criss-cross merge there are several latest common ancestors: they are merged
 * first.
 */
async function mergeAncestors(
  page: MergedPage,
  policy: PagePolicy,
  common: readonly Commit[],
  target: MergeTarget,
): Promise<Commit> {
  const [first, ...others] = common;
  if (first === undefined) throw damage("two heads of the page have no commit in common");
  let base = first;
  for (const other of others) {
    const [a, b] = [base, other].sort(byTime) as [Commit, Commit];
    const ids = await target.commits.mergesOf(a.id, b.id);
    const merges = await Promise.all(ids.map((id) => target.commits.get(id)));
    base = merges.sort(byTime)[0] ?? (await mergeCommits(page, policy, a, b, target));
  }
  return base;
}

async function changesBetween(storage: PageStorage, before: Commit, after: Commit): Promise<EntryChange[]> {
  const changes: EntryChange[] = [];
  for await (const { key, after: entry } of diffTrees(storage.objects, before.root, after.root))
    changes.push({ key, entry });
  return changes;
}

/** Returns the changes that only the older head has made; undefined if both changed a key in different ways. */
async function agreedChanges(
  storage: PageStorage,
  base: Commit,
  newer: Commit,
  older: Commit,
): Promise<{ readonly changes: EntryChange[]; readonly contested: ReadonlySet<string> } | undefined> {
  const changes: EntryChange[] = [];
  const contested = new Set<string>();
  const trees = { base: base.root, left: newer.root, right: older.root };
  for await (const difference of diffThreeWay(storage.objects, trees)) {
    if (isConflict(difference)) return undefined;
    const { key, base: before, left, right } = difference;
    if (sameEntry(before, right)) continue;
    if (!sameEntry(before, left)) contested.add(toHex(key));
    changes.push({ key, entry: right });
  }
  return { changes, contested };
}

async function resolved(
  page: MergedPage,
  resolve: (conflict: Conflict) => void | Promise<void>,
  sides: Sides,
  target: MergeTarget,
): Promise<Commit> {
  const conflict = new Conflict(page, sides, target.isMemory);
  try {
    try {
      await resolve(conflict);
    } catch (cause) {
      throw new ResolverFailure("the conflict resolver has failed", { cause });
    }
    return await target.store(sides.newer, sides.older, conflict.changes, conflict.contested);
  } finally {
    await conflict.end();
  }
}

/** The common ancestors of two commits. */
interface Ancestry {
  /** The latest common ancestors, by (timestamp, id). There are several after a criss-cross merge. */
  readonly common: readonly Commit[];
  /** True if a side has commits, other than merges, that the other side does not have. */
  readonly hasOwn: { readonly a: boolean; readonly b: boolean };
}

const OF_A = 1;
const OF_B = 2;
const BOTH = OF_A | OF_B;
/** Marks ancestors of a common ancestor. */
const OLDER = 4;

/** Finds the common ancestors: follows the parents of both commits at once, newest first. */
async function ancestryOf(
  commits: Pick<CommitStore, "find" | "get">,
  a: Commit,
  b: Commit,
): Promise<Ancestry> {
  const open = new Map<string, { readonly commit: Commit; marks: number }>();
  const mark = (commit: Commit, marks: number): void => {
    const name = toHex(commit.id);
    open.set(name, { commit, marks: marks | (open.get(name)?.marks ?? 0) });
  };
  mark(a, OF_A);
  mark(b, OF_B);
  const common: Commit[] = [];
  const hasOwn = { a: false, b: false };
  while ([...open.values()].some(({ marks }) => (marks & OLDER) === 0)) {
    const { commit, marks } = [...open.values()].reduce((x, y) =>
      byGeneration(x.commit, y.commit) > 0 ? x : y,
    );
    open.delete(toHex(commit.id));
    if (marks === BOTH) common.push(commit);
    if (marks === OF_A && commit.parents.length === 1) hasOwn.a = true;
    if (marks === OF_B && commit.parents.length === 1) hasOwn.b = true;
    const passed = (marks & BOTH) === BOTH ? marks | OLDER : marks;
    for (const id of commit.parents) {
      // Ancestors of a common ancestor may have been pruned.
      const parent = (passed & OLDER) === 0 ? await commits.get(id) : await commits.find(id);
      if (parent !== undefined) mark(parent, passed);
    }
  }
  return { common: common.sort(byTime), hasOwn };
}
