/** Finds the common ancestors of two commits. */
import { toHex } from "merostore/internal";
import { byGeneration, byTime, type Commit } from "../storage/commit.js";
import type { CommitStore } from "../storage/commit-store.js";

/** The common ancestors of two commits. */
export interface Ancestry {
  /** The latest common ancestors, by (timestamp, id). There are several after a criss-cross merge. */
  readonly common: readonly Commit[];
  /** True if a side has ancestors, other than merges, that the other side does not have. */
  readonly hasOwn: { readonly left: boolean; readonly right: boolean };
}

const LEFT = 1;
const RIGHT = 2;
const BOTH = LEFT | RIGHT;
/** Marks ancestors of a common ancestor. */
const OLDER = 4;

/** Finds the common ancestors: follows the parents of both commits at once, newest first. */
export async function ancestryOf(
  commits: Pick<CommitStore, "find" | "get">,
  left: Commit,
  right: Commit,
): Promise<Ancestry> {
  const open = new Map<string, { readonly commit: Commit; marks: number }>();
  const mark = (commit: Commit, marks: number): void => {
    const name = toHex(commit.id);
    open.set(name, { commit, marks: marks | (open.get(name)?.marks ?? 0) });
  };
  mark(left, LEFT);
  mark(right, RIGHT);
  const common: Commit[] = [];
  const hasOwn = { left: false, right: false };
  while ([...open.values()].some(({ marks }) => (marks & OLDER) === 0)) {
    const { commit, marks } = [...open.values()].reduce((a, b) =>
      byGeneration(a.commit, b.commit) > 0 ? a : b,
    );
    open.delete(toHex(commit.id));
    if (marks === BOTH) common.push(commit);
    if (marks === LEFT && commit.parents.length === 1) hasOwn.left = true;
    if (marks === RIGHT && commit.parents.length === 1) hasOwn.right = true;
    const passed = (marks & BOTH) === BOTH ? marks | OLDER : marks;
    for (const id of commit.parents) {
      // Ancestors of a common ancestor may have been pruned.
      const parent = (passed & OLDER) === 0 ? await commits.get(id) : await commits.find(id);
      if (parent !== undefined) mark(parent, passed);
    }
  }
  return { common: common.sort(byTime), hasOwn };
}
