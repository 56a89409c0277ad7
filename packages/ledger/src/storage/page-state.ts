/** How much of a page other devices have. */

import type { EngineReader } from "merostore/engine";
import { equalBytes } from "merostore/internal";
import { onlineRow } from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { type Commit, emptyRoot } from "./commit.js";

/** What decides whether a page may be removed from this device. */
export interface PageState {
  /** Whether all commits and pieces of the page are in the cloud. */
  readonly synced: boolean;
  /** Whether the page was in the cloud or at a peer once. */
  readonly online: boolean;
  /** Whether the page has no entries. */
  readonly empty: boolean;
}

/** Whether a page was in the cloud or at a peer once. */
export async function isOnline(engine: EngineReader): Promise<boolean> {
  return (await engine.get(COLUMN, onlineRow.key.encode({}))) !== undefined;
}

/** Whether a page with these heads has no entries: one head, with an empty tree. */
export function isEmpty([head, ...others]: readonly Commit[]): boolean {
  if (head === undefined || others.length > 0) return false;
  return equalBytes(head.root.digest, emptyRoot(head.root.keyIndex).digest);
}
