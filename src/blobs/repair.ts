/** Repairs reference counts. */
import { MerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isReader } from "../options.js";
import type { Store } from "../store/browser.js";
import { type DeleteBlobOptions, deleteBlobOptions } from "./delete.js";
import { putOf } from "./put.js";
import { readBlobTable } from "./table.js";

/** A repaired count. */
export interface RepairedCount {
  /** The blob or chunk, 64 hex digits. */
  readonly blobId: string;
  /** The references in the row before. */
  readonly before: number;
  /** The references that blobs need. */
  readonly after: number;
}

/**
 * Repairs reference counts, in one synced batch: a chunk counts each blob that has it, as often as the blob was added
 * and links it; each blob counts at least 1. The counts of blobs that no other blob links stay unchanged, because only
 * a node knows how often it added them. Revisions before core-0.11 have no counts, so nothing happens there.
 *
 * @param store open for writing, unless `dryRun`
 * @throws MerostoreError `READ_ONLY`; `BLOB_BROKEN` if a row of blobs does not decode
 */
export async function repairBlobCounts(
  store: Store,
  options: DeleteBlobOptions = {},
): Promise<readonly RepairedCount[]> {
  checkArgument("repairBlobCounts", store, isReader);
  checkOptions("repairBlobCounts", options, deleteBlobOptions);
  const table = await readBlobTable(store);
  const [unreadable] = table.unreadable;
  if (unreadable !== undefined)
    throw new MerostoreError(
      "BLOB_BROKEN",
      `the row of blob ${unreadable} does not decode: nothing was repaired`,
    );
  const repaired: RepairedCount[] = [];
  const operations = [];
  for (const [id, row] of table.rows) {
    const after = table.expectedRefs(id);
    if (after === undefined || row.refs === undefined || after === row.refs) continue;
    repaired.push({ blobId: id, before: row.refs, after });
    operations.push(putOf(store, id, { ...row, refs: after }));
  }
  if (options.dryRun === true || operations.length === 0) return repaired;
  if (!store.raw.capabilities.writable)
    throw new MerostoreError("READ_ONLY", "the database is open for reading only: nothing was repaired");
  await store.raw.write(operations, { sync: true });
  return repaired;
}
