/** Brings commits that a cloud has lost to it again. */
import { toHex } from "merostore/internal";
import { byGeneration } from "../storage/commit.js";
import { decodeCommit } from "../tables/commit-table.js";
import { warn } from "../warn.js";
import type { CommitBytes, SyncedPage } from "./cloud.js";
import { type ReachablePiece, ReachablePieces } from "./folder/reachable-pieces.js";

/** Takes what a cloud has lost. */
export interface LossTaker {
  addPiece(piece: ReachablePiece): Promise<void>;
  addCommit(commit: CommitBytes): Promise<void>;
  /** Called when all was added. */
  end(): Promise<void>;
}

/** Brings commits, parents first, after the pieces of their trees that the page has. */
export async function bringAgain(
  page: SyncedPage,
  lost: readonly CommitBytes[],
  { addPiece, addCommit, end }: LossTaker,
): Promise<void> {
  const commits = lost.map((commit) => ({ ...commit, ...decodeCommit(commit.bytes) })).sort(byGeneration);
  const pieces = new ReachablePieces(page, addPiece);
  for (const { root } of commits) await pieces.tree(root);
  for (const { id, bytes } of commits) await addCommit({ id, bytes });
  await end();
}

/** Reports commits that were brought again as a process warning with the code MEROSTORE_RESTORED, since mostly nobody waits for a sync. */
export function warnOfLoss(page: SyncedPage, lost: readonly CommitBytes[], name: string): void {
  const what = lost.length === 1 ? "a commit" : `${lost.length} commits`;
  const of = `the page ${toHex(page.id)} of ${JSON.stringify(page.ledger)}`;
  warn(`${name} had lost ${what} of ${of}; what this device has is there again`, "MEROSTORE_RESTORED");
}
