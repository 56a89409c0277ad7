/** The share of a page that other devices have. */

import type { EngineReader } from "merostore/engine";
import { equalBytes, MerostoreError, toHex } from "merostore/internal";
import { isInline } from "../objects.js";
import { headRow, objectRow, onlineRow, unsyncedCommitRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, emptyRoot } from "./commit.js";

/** The facts that decide whether a page may be removed from this device. */
export interface PageState {
  /** True if all commits and pieces of the page are in the cloud. */
  readonly synced: boolean;
  /** True if the page was in the cloud or at a peer once. */
  readonly online: boolean;
  /** True if the page has no entries. */
  readonly empty: boolean;
}

/** Returns whether a page was in the cloud or at a peer once. */
export async function isOnline(engine: EngineReader): Promise<boolean> {
  return (await engine.get(COLUMN, onlineRow.key.encode({}))) !== undefined;
}

/** Returns whether the tree of a commit is only in the cloud: older commits come without it. Otherwise a missing tree is damage. */
export async function isOnlyInCloud(
  engine: EngineReader,
  { id: commit, root: { digest } }: Commit,
): Promise<boolean> {
  if (isInline(digest)) return false;
  const [tree, head, unsynced, online] = await engine.getMany(COLUMN, [
    objectRow.key.encode({ digest }),
    headRow.key.encode({ commit }),
    unsyncedCommitRow.key.encode({ commit }),
    onlineRow.key.encode({}),
  ]);
  return tree === undefined && head === undefined && unsynced === undefined && online !== undefined;
}

/** The tree of a commit is only in the cloud, which is not there. */
export function onlyInCloud({ id }: Commit): MerostoreError {
  return new MerostoreError(
    "NETWORK_ERROR",
    `the state of the commit ${toHex(id)} is only in the cloud: read it once while the page is open with its cloud`,
  );
}

/** Returns whether a page with these heads has no entries: one head, with an empty tree. */
export function isEmpty([head, ...others]: readonly Commit[]): boolean {
  if (head === undefined || others.length > 0) return false;
  return equalBytes(head.root.digest, emptyRoot(head.root.keyIndex).digest);
}
