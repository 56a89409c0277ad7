/** Which commits nothing needs: those before the latest one that all commits in use have in common. */
import { toHex } from "../../bytes/hex.js";
import { byGeneration, type Commit, isFirst } from "./commit.js";
import type { CommitStore } from "./commit-store.js";

/** The strict ancestors, as far as they are here, of the latest common ancestor of these commits. */
export async function commitsToPrune(commits: CommitStore, live: readonly Uint8Array[]): Promise<Commit[]> {
  const common = await latestCommon(commits, live);
  if (common === undefined) return [];
  const found = new Map<string, Commit>();
  const next = [...common.parents];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (isFirst(id) || found.has(toHex(id))) continue;
    const commit = await commits.find(id);
    if (commit === undefined) continue; // pruned before, and with it what lies beyond
    found.set(toHex(id), commit);
    next.push(...commit.parents);
  }
  // Parents before their children: what is left when it is broken off is found again, from the children on.
  return [...found.values()].sort(byGeneration);
}

/** Walks back from the newest commit to its parents until only one is left. */
async function latestCommon(commits: CommitStore, live: readonly Uint8Array[]): Promise<Commit | undefined> {
  const open = new Map<string, Commit>();
  for (const id of live) open.set(toHex(id), await commits.get(id));
  while (open.size > 1) {
    const newest = [...open.values()].reduce((a, b) => (byGeneration(a, b) > 0 ? a : b));
    open.delete(toHex(newest.id));
    for (const id of newest.parents) {
      const parent = await commits.find(id);
      if (parent === undefined) return undefined;
      open.set(toHex(id), parent);
    }
  }
  const [common] = open.values();
  return common;
}
