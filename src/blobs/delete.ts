/** Deletes blobs, and unreferenced rows and files: rows first, then files, so that no row lacks its file. */

import { fromHex, toHex } from "../bytes/hex.js";
import { type IdLike, idHex } from "../bytes/id.js";
import type { WriteOperation } from "../engine/engine.js";
import { MerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isFlag, isReader, type OptionChecks } from "../options.js";
import type { Store } from "../store/browser.js";
import { isFolderOfBlobs } from "./blob-files.js";
import type { BlobFolder } from "./blob-folder.js";
import { checkChunksKnown } from "./hidden-chunks.js";
import { putOf } from "./put.js";
import { closure, type Removal, removalOf } from "./removal.js";
import { type BlobTable, readBlobTable } from "./table.js";
import { readBlobUses } from "./uses.js";

/** Options of a deletion. */
export interface DeleteBlobOptions {
  /** Find the result, and write nothing. */
  readonly dryRun?: boolean | undefined;
}

/** @internal The checks of {@link DeleteBlobOptions}. */
export const deleteBlobOptions: OptionChecks<DeleteBlobOptions> = { dryRun: isFlag };

/** The result of a deletion. Ids are 64 hex digits. */
export interface DeletedBlob {
  /** The deleted rows. The files of chunks among them are deleted too. */
  readonly removed: readonly string[];
  /** The rows that now count fewer references. */
  readonly recounted: readonly string[];
  /** The remaining references of the blob; 0 if it is deleted. */
  readonly refs: number;
}

/**
 * Deletes a blob as core-0.11 does: it removes one reference, and without references the rows and files. It never
 * deletes a part that an application, a group, a context or another blob needs. The rows are one synced batch, and the
 * files are removed after it.
 *
 * @param store open for writing, unless `dryRun`
 * @param blobId 32 bytes
 * @throws MerostoreError `READ_ONLY`, `WRITING_UNSUPPORTED`, `BLOB_NOT_FOUND`, `BLOB_IN_USE`; `BLOB_BROKEN` if a row of
 *   blobs does not decode: the chunks that it needs are then unknown
 */
export async function deleteBlob(
  store: Store,
  folder: BlobFolder,
  blobId: IdLike,
  options: DeleteBlobOptions = {},
): Promise<DeletedBlob> {
  checkArgument("deleteBlob", store, isReader);
  checkArgument("deleteBlob", folder, isFolderOfBlobs);
  checkOptions("deleteBlob", options, deleteBlobOptions);
  checkChunksKnown(store.schema);
  const table = await readBlobTable(store);
  const id = idHex(blobId);
  const removal = removalOf(table, await readBlobUses(store), id);
  checkReadable(table);
  if (options.dryRun !== true) await remove(store, folder, table, removal);
  return {
    removed: [...removal.removed],
    recounted: [...removal.recounted.keys()],
    refs: removal.recounted.get(id)?.refs ?? 0,
  };
}

/** Options of collecting leftovers. */
export interface CollectOptions extends DeleteBlobOptions {
  /**
   * Also remove blobs that no application, group or context names. The data of an application may contain their ids.
   */
  readonly unnamed?: boolean | undefined;
}

/** The unreferenced rows and files. Ids are 64 hex digits. */
export interface Leftovers {
  /** Chunks that no blob has, because an addition broke off. */
  readonly chunks: readonly string[];
  /** Files of chunks without a row. */
  readonly files: readonly string[];
  /** The names of unfinished files. */
  readonly unfinished: readonly string[];
  /** Blobs that no application, group or context names. */
  readonly unnamed: readonly string[];
  /** The bytes of the removed files, or of the files that would be removed. */
  readonly bytes: number;
  /** The number of deleted rows, or of rows that would be deleted. */
  readonly rows: number;
}

/**
 * Removes unreferenced rows and files: chunks that no blob has, files without a row, and unfinished files; with
 * `unnamed` also blobs that no row names. The rows are one synced batch, and the files are removed after it. The node
 * must not run.
 *
 * @param store open for writing, unless `dryRun`
 * @throws MerostoreError `READ_ONLY`, `WRITING_UNSUPPORTED`; `BLOB_BROKEN` if a row of blobs does not decode
 */
export async function collectBlobs(
  store: Store,
  folder: BlobFolder,
  options: CollectOptions = {},
): Promise<Leftovers> {
  checkArgument("collectBlobs", store, isReader);
  checkArgument("collectBlobs", folder, isFolderOfBlobs);
  checkOptions("collectBlobs", options, { ...deleteBlobOptions, unnamed: isFlag });
  const { dryRun = false, unnamed: alsoUnnamed = false } = options;
  checkChunksKnown(store.schema);
  const table = await readBlobTable(store);
  checkReadable(table);
  const uses = await readBlobUses(store);
  const unnamed = table.roots().filter((id) => !uses.has(id));
  const chunks = [...table.rows.keys()].filter(
    (id) => table.isChunk(id) && table.parentsOf(id).length === 0 && !uses.has(id),
  );
  const removal = closure(table, uses, alsoUnnamed ? [...chunks, ...unnamed] : chunks, false);
  const files: string[] = [];
  const unfinished: string[] = [];
  let bytes = 0;
  for await (const { name, kind, blobId, size } of folder.entries()) {
    const id = blobId && toHex(blobId);
    if (kind === "unfinished") unfinished.push(name);
    else if (id !== undefined && !table.rows.has(id)) files.push(id);
    else if (id === undefined || !removal.removed.has(id)) continue;
    bytes += size;
  }
  if (!dryRun) {
    await remove(store, folder, table, removal);
    for (const id of files) await folder.remove(fromHex(id));
    for (const name of unfinished) await folder.removeUnfinished(name);
    await folder.sync();
  }
  return { chunks, files, unfinished, unnamed, bytes, rows: removal.removed.size };
}

/** Removes rows first: a kill of the process in between leaves files without rows, which are harmless. */
async function remove(
  store: Store,
  folder: BlobFolder,
  table: BlobTable,
  { removed, recounted }: Removal,
): Promise<void> {
  if (!store.raw.capabilities.writable)
    throw new MerostoreError("READ_ONLY", "the database is open for reading only: nothing was deleted");
  const operations: WriteOperation[] = [
    ...[...removed].map((id) => ({ type: "delete" as const, column: "Blobs", key: fromHex(id) })),
    ...[...recounted].map(([id, row]) => putOf(store, id, row)),
  ];
  if (operations.length > 0) await store.raw.write(operations, { sync: true });
  for (const id of removed) if (table.isChunk(id)) await folder.remove(fromHex(id));
  await folder.sync();
}

function checkReadable({ unreadable }: BlobTable): void {
  const [id] = unreadable;
  if (id !== undefined)
    throw new MerostoreError(
      "BLOB_BROKEN",
      `the row of blob ${id} does not decode, so that its chunks are unknown: nothing was deleted`,
    );
}
