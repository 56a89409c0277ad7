/** A page that goes to a cloud for the first time, after its history was pruned. */
import type { Engine, WriteOperation } from "merostore/engine";
import { headRow, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, firstCommit, isFirst, newCommit } from "./commit.js";
import { CommitStore } from "./commit-store.js";
import { isOnline } from "./page-state.js";
import { storedCommits } from "./sweep.js";

/**
 * Replaces the commits of such a page by one of its present state: others can use a commit only after its parents. A page
 * with several heads stays as it is until they are merged.
 */
export async function restartHistory(engine: Engine, keyIndex: number): Promise<void> {
  const store = new CommitStore(engine, keyIndex);
  const [head, ...others] = await store.heads();
  if (head === undefined || others.length > 0 || isFirst(head.id)) return;
  if ((await isOnline(engine)) || (await hasFirstCommits(engine))) return;
  const present = await store.ofHead(head);
  const begun: Commit = newCommit([firstCommit(keyIndex)], present.root, present.timestamp);
  const operations: WriteOperation[] = [headRow.delete({ commit: head.id })];
  for await (const ids of storedCommits(engine))
    for (const id of ids) operations.push(...store.remove(await store.get(id)));
  operations.push(...store.add(begun, false), headRow.put({ commit: begun.id }, begun.timestamp));
  await engine.write(operations, { sync: true });
}

/** Returns whether the page has a commit that follows none: pruning removes those before all others. */
async function hasFirstCommits(engine: Engine): Promise<boolean> {
  for await (const row of engine.scan(COLUMN, unsyncedCommitRow.range()))
    if (unsyncedCommitRow.decode(row) === 1n) return true;
  return false;
}
