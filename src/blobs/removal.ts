/** The consequences of a deletion: deleted rows, and rows with fewer references. */
import { MerostoreError } from "../errors.js";
import { additionsOf, type BlobRow, type BlobTable, occurrences } from "./table.js";
import type { BlobUses } from "./uses.js";

/** Changes of rows. Ids are 64 hex digits. */
export interface Removal {
  /** The deleted rows. */
  readonly removed: ReadonlySet<string>;
  /** The remaining rows with another number of references. */
  readonly recounted: ReadonlyMap<string, BlobRow>;
}

/**
 * The changes of rows by the deletion of a blob, as in core-0.11: the blob and each of its links lose one reference,
 * and a row with 0 references is deleted. Unlike a node, it removes no part that another blob links or another row
 * names. Before core-0.11 nothing is counted: the blob is deleted with each part that nothing else needs.
 *
 * @param id 64 hex digits
 * @throws MerostoreError `BLOB_NOT_FOUND`; `BLOB_IN_USE` if another blob links it, or another row names it
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
 * The rows to delete together with blobs: the blobs, and parts that no remaining row links or names.
 *
 * @param byCount keeps parts that count more references than they lose, as a node does
 */
export function closure(table: BlobTable, uses: BlobUses, ids: readonly string[], byCount: boolean): Removal {
  const removed = new Set(ids);
  const lost = new Map<string, Lost>();
  const waiting = [...ids];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const blob = table.rows.get(id);
    if (blob === undefined) continue;
    for (const [link, times] of occurrences(blob.links)) {
      const part = table.rows.get(link);
      if (part === undefined || removed.has(link)) continue;
      const before = lost.get(link) ?? { links: 0, blobs: 0, needed: 0 };
      const after = {
        links: before.links + times,
        blobs: before.blobs + 1,
        needed: before.needed + additionsOf(blob) * times,
      };
      lost.set(link, after);
      const isNeeded = uses.has(link) || after.blobs < table.parentsOf(link).length;
      const isCounted = byCount && part.refs !== undefined && part.refs > after.links;
      if (isNeeded || isCounted) continue;
      removed.add(link);
      waiting.push(link);
    }
  }
  const recounted = new Map<string, BlobRow>();
  for (const [id, { links, needed }] of lost) {
    const part = table.rows.get(id);
    if (part?.refs === undefined || removed.has(id)) continue;
    const least = Math.max(1, table.neededBy(id) - needed);
    const refs = Math.max(least, part.refs - links);
    if (refs !== part.refs) recounted.set(id, { ...part, refs });
  }
  return { removed, recounted };
}

/** The loss of a part by the deletion of blobs above it. */
interface Lost {
  /** Their links to it. */
  readonly links: number;
  /** Their number. */
  readonly blobs: number;
  /** The references that they needed. */
  readonly needed: number;
}
