/** Finds the common ancestors of two commits. */
import { toHex } from "merostore/internal";
import { byGeneration, byTime, type Commit } from "../storage/commit.js";
import type { CommitStore } from "../storage/commit-store.js";

/** The common ancestors of two commits. */
export interface Ancestry {
  /** The latest common ancestors, by (timestamp, id). There are several after a criss-cross merge. */
  readonly common: readonly Commit[];
  /** True if a commit has ancestors, other than merges, that the other does not have. */
  readonly hasOwn: { readonly a: boolean; readonly b: boolean };
}

const OF_A = 1;
const OF_B = 2;
const BOTH = OF_A | OF_B;
/** Marks ancestors of a common ancestor. */
const OLDER = 4;

/** Finds the common ancestors: follows the parents of both commits at once, newest first. */
export async function ancestryOf(
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
