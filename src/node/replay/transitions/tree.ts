/** The tree of groups, as the rows have it at the moment. */
import { toHex } from "../../../bytes/hex.js";
import type { ReplayedRows } from "../rows.js";

/** The groups below a group, the deepest first. */
export function descendants(rows: ReplayedRows, group: string): readonly string[] {
  const found: string[] = [];
  const seen = new Set([group]);
  for (let level = [group]; level.length > 0; ) {
    const next: string[] = [];
    for (const parent of level)
      for (const { ids } of rows.of("GroupChildIndex", parent)) {
        const child = ids[1] as string;
        if (seen.has(child)) continue;
        seen.add(child);
        next.push(child);
      }
    for (const group of next) found.push(group);
    level = next;
  }
  return found.reverse();
}

/** The group above; undefined for a namespace. */
export function parentOf(rows: ReplayedRows, group: string): string | undefined {
  const parent = rows.get("GroupParentRef", group);
  return parent && toHex(parent);
}

/** Returns whether a group is open, and so is every group above it but the namespace. */
export function isOpenToTop(rows: ReplayedRows, namespace: string, group: string): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = group; at !== undefined && at !== namespace; at = parentOf(rows, at)) {
    if (seen.has(at) || rows.get("GroupSubgroupVis", at)?.mode !== 0) return false;
    seen.add(at);
  }
  return true;
}

/**
 * Returns whether an account is an admin of a group: by its role, by name, or in a group above while the groups are
 * open.
 */
export function isAdmin(rows: ReplayedRows, group: string, account: string): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = group; at !== undefined && !seen.has(at); at = parentOf(rows, at)) {
    seen.add(at);
    if (rows.get("GroupMember", at, account)?.role === "Admin") return true;
    const meta = rows.get("GroupMeta", at);
    if (meta !== undefined && toHex(meta.adminIdentity) === account) return true;
    if (rows.get("GroupSubgroupVis", at)?.mode !== 0) return false;
  }
  return false;
}
