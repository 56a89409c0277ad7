/** Reads commits backwards, from some of them to the first that is on this device. */
import { toHex } from "merostore/internal";
import { byGeneration, type Commit } from "./commit.js";
import type { CommitStore } from "./commit-store.js";

/** A commit, and those of its parents that are not on this device. */
export interface WalkedCommit {
  readonly commit: Commit;
  /** The ids of the parents that were removed. */
  readonly pruned: readonly Uint8Array[];
}

/**
 * Yields commits and their ancestors, each once, by descending (generation, id): children before their parents. Memory
 * grows with the number of branches only.
 */
export async function* walkCommits(
  commits: CommitStore,
  start: readonly Commit[],
): AsyncGenerator<WalkedCommit, void, undefined> {
  const open = new Map(start.map((commit) => [toHex(commit.id), commit]));
  while (open.size > 0) {
    const commit = [...open.values()].reduce((a, b) => (byGeneration(a, b) > 0 ? a : b));
    open.delete(toHex(commit.id));
    const pruned: Uint8Array[] = [];
    for (const id of commit.parents) {
      const parent = await commits.find(id);
      if (parent === undefined) pruned.push(id);
      else open.set(toHex(id), parent);
    }
    yield { commit, pruned };
  }
}
