/** The share of a page that other devices have. */

import type { EngineReader } from "merostore/engine";
import { equalBytes } from "merostore/internal";
import { onlineRow } from "../rows/page-rows.js";
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

/** Returns whether a page with these heads has no entries: one head, with an empty tree. */
export function isEmpty([head, ...others]: readonly Commit[]): boolean {
  if (head === undefined || others.length > 0) return false;
  return equalBytes(head.root.digest, emptyRoot(head.root.keyIndex).digest);
}
