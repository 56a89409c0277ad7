/** What a deletion leads to: rows that go, and rows that count fewer references. */
import { MerostoreError } from "../errors.js";
import type { BlobRow, BlobTable } from "./table.js";
import type { BlobUses } from "./uses.js";

/** Changes of rows. Ids are 64 hex digits. */
export interface Removal {
  /** Rows that are deleted. */
  readonly removed: ReadonlySet<string>;
  /** Rows that stay, with another number of references. */
  readonly recounted: ReadonlyMap<string, BlobRow>;
}

/**
 * The rows after the deletion of a blob, as core-0.11 deletes: one reference less for the blob and for each of its links;
 * at 0 the row goes. Unlike a node, it removes no part that another blob still links or anything names. Before core-0.11
 * nothing is counted: the blob goes, and each part that nothing else needs.
 *
 * @param id 64 hex digits
 * @throws MerostoreError `BLOB_NOT_FOUND`; `BLOB_IN_USE` if another blob links it, or anything names it
 */
export function removalOf(table: BlobTable, uses: BlobUses, id: string): Removal {
  const row = table.rows.get(id);
  if (row === undefined)
    throw new MerostoreError(
      table.unreadable.has(id) ? "BLOB_BROKEN" : "BLOB_NOT_FOUND",
      table.unreadable.has(id) ? `the row of blob ${id} does not decode` : `blob ${id} does not exist`,
    );
  const [parent] = table.parentsOf(id);
  if (parent !== undefined)
    throw new MerostoreError("BLOB_IN_USE", `${id} is a part of blob ${parent}: nothing was deleted`);
  const [use] = uses.get(id) ?? [];
  if (use !== undefined)
    throw new MerostoreError(
      "BLOB_IN_USE",
      `blob ${id} is named by the row ${use.kind} of ${use.id}: nothing was deleted`,
    );
  if (row.refs === undefined || row.refs <= 1) return closure(table, uses, [id], true);
  const recounted = new Map([[id, { ...row, refs: row.refs - 1 }]]);
  for (const [link, times] of occurrences(row.links)) {
    const part = table.rows.get(link);
    if (part?.refs === undefined) continue;
    const least = (table.expectedRefs(link) ?? 1) - times;
    const refs = Math.max(1, least, part.refs - times);
    if (refs !== part.refs) recounted.set(link, { ...part, refs });
  }
  return { removed: new Set(), recounted };
}

/**
 * Rows that go when blobs go: those, and parts that nothing that stays links or names.
 *
 * @param byCount keeps parts that count more references than go, as a node does
 */
export function closure(table: BlobTable, uses: BlobUses, ids: readonly string[], byCount: boolean): Removal {
  const removed = new Set(ids);
  const lost = new Map<string, number>();
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const [link, times] of occurrences(table.rows.get(id)?.links ?? [])) {
      const part = table.rows.get(link);
      if (part === undefined || removed.has(link)) continue;
      lost.set(link, (lost.get(link) ?? 0) + times);
      const isNeeded = uses.has(link) || table.parentsOf(link).some((parent) => !removed.has(parent));
      const isCounted = byCount && part.refs !== undefined && part.refs > (lost.get(link) ?? 0);
      if (isNeeded || isCounted) continue;
      removed.add(link);
      waiting.push(link);
    }
  }
  const recounted = new Map<string, BlobRow>();
  for (const [id, times] of lost) {
    const part = table.rows.get(id);
    if (part?.refs === undefined || removed.has(id)) continue;
    let least = 1;
    for (const parent of table.parentsOf(id)) {
      if (removed.has(parent)) continue;
      const { links = [], refs = 1 } = table.rows.get(parent) ?? {};
      least += Math.max(1, refs) * links.filter((link) => link === id).length;
    }
    if (least > 1) least -= 1;
    const refs = Math.max(least, part.refs - times);
    if (refs !== part.refs) recounted.set(id, { ...part, refs });
  }
  return { removed, recounted };
}

function occurrences(links: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const link of links) times.set(link, (times.get(link) ?? 0) + 1);
  return times;
}
