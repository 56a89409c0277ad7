/** Adds a blob as a node does: files, then rows. */
import { fromHex, toHex } from "../bytes/hex.js";
import { sha256, startSha256 } from "../crypto/index.js";
import { blobRootId, CHUNK_SIZE } from "../digests/index.js";
import type { WriteOperation } from "../engine/engine.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import { type NodeReader, rowsAt } from "../node/tables/rows.js";
import { checkArgument, checkOptions, isFlag, isPieces, isReader } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { Store } from "../store/browser.js";
import { isFolderOfBlobs } from "./blob-files.js";
import type { BlobFolder } from "./blob-folder.js";
import { checkChunksKnown } from "./hidden-chunks.js";
import { type BlobRow, encodedRow, occurrences } from "./table.js";

/** The most chunks of a blob: 64 GiB. A node accepts 1 GiB. */
const MOST_CHUNKS = 65_536;
const MOST_REFS = 2 ** 32 - 1;

/** Options of adding a blob. */
export interface PutBlobOptions extends ProgressOptions {
  /** Find the result, and write nothing. */
  readonly dryRun?: boolean | undefined;
}

/** An added blob. */
export interface PutBlob {
  /** The blob's id, 64 hex digits. */
  readonly blobId: string;
  /** SHA-256 of the content, 64 hex digits. */
  readonly hash: string;
  /** Bytes of the content. */
  readonly size: number;
  /** The number of chunks in the content, including repeated ones. */
  readonly chunks: number;
  /** The number of written chunk files. The others existed before. */
  readonly files: number;
  /** The number of additions of the blob, including this one; undefined before core-0.11. */
  readonly refs: number | undefined;
}

/**
 * Adds a blob in chunks of 1 MiB: a file and a row for each chunk, and a row for the blob. Every file is synced before
 * the first row is written, and all rows are one synced batch. So a crash leaves at most files without rows, never a
 * row without its file. If the content or a row is refused, the new files are removed. core-0.11 counts the addition;
 * for older revisions the same rows are written again.
 *
 * @param store open for writing, unless `dryRun`
 * @param content the content, in pieces of any size
 * @throws MerostoreError `READ_ONLY`; `WRITING_UNSUPPORTED` for nodes whose rows of chunks are not known;
 *   `INVALID_ARGUMENT` if the blob is larger than 64 GiB; `BLOB_BROKEN` if a row of a chunk does not decode, or counts
 *   2³²−1 additions; `BLOB_IN_USE` if the content is made so that another blob would lose its row
 */
export async function putBlob(
  store: Store,
  folder: BlobFolder,
  content: AsyncIterable<Uint8Array>,
  options: PutBlobOptions = {},
): Promise<PutBlob> {
  checkArgument("putBlob", store, isReader);
  checkArgument("putBlob", folder, isFolderOfBlobs);
  checkArgument("putBlob", content, isPieces);
  checkOptions("putBlob", options, { ...progressOptions, dryRun: isFlag });
  const { dryRun = false } = options;
  const follower = new Follower(options, "bytes");
  checkChunksKnown(store.schema);
  if (!dryRun && !store.raw.capabilities.writable)
    throw new MerostoreError("READ_ONLY", "the database is open for reading only: nothing was written");
  const links: string[] = [];
  const sizes = new Map<string, number>();
  const hash = startSha256();
  let size = 0;
  const files: Uint8Array[] = [];
  const add = async () => {
    for await (const chunk of chunksIn(content)) {
      if (links.length === MOST_CHUNKS)
        throw invalidArgument(`a blob has at most ${MOST_CHUNKS} chunks of 1 MiB`);
      const id = sha256(chunk);
      const hex = toHex(id);
      hash.update(chunk);
      size += chunk.length;
      links.push(hex);
      if (!sizes.has(hex)) {
        sizes.set(hex, chunk.length);
        if (!dryRun && (await folder.write(id, chunk))) files.push(id);
      }
      follower.add(chunk.length);
    }
    const blobId = links.length === 0 ? toHex(sha256()) : toHex(blobRootId(links.map(fromHex)));
    const rows = await rowsAfter(store, blobId, {
      size: BigInt(size),
      hash: toHex(new Uint8Array(hash.digest())),
      links,
      sizes,
    });
    follower.end();
    return { blobId, rows };
  };
  const { blobId, rows } = await add().catch(async (error: unknown) => {
    await removeUnused(store, folder, files).catch(() => undefined);
    throw error;
  });
  const root = rows.get(blobId) as BlobRow;
  if (!dryRun) {
    // Also for files that were here: an addition that was killed has not made their names durable.
    if (links.length > 0) await folder.sync();
    await store.raw.write(
      [...rows].map(([id, row]) => putOf(store, id, row)),
      { sync: true },
    );
  }
  return { blobId, hash: root.hash, size, chunks: links.length, files: files.length, refs: root.refs };
}

/** Removes the files of chunks without a row. */
async function removeUnused(store: Store, folder: BlobFolder, ids: readonly Uint8Array[]): Promise<void> {
  const stored = await store.raw.getMany("Blobs", ids);
  for (const [at, id] of ids.entries()) if (stored[at] === undefined) await folder.remove(id);
}

/** The write of a row. */
export function putOf(store: Store, id: string, row: BlobRow): WriteOperation {
  return { type: "put", column: "Blobs", key: fromHex(id), value: encodedRow(store.schema, row) };
}

interface Added {
  readonly size: bigint;
  readonly hash: string;
  readonly links: readonly string[];
  readonly sizes: ReadonlyMap<string, number>;
}

/** The rows after an addition: the rows of the chunks, then the row of the blob. */
async function rowsAfter(store: Store, blobId: string, added: Added): Promise<ReadonlyMap<string, BlobRow>> {
  const times = occurrences(added.links);
  const ids = [...times.keys(), blobId];
  const found = await rowsAt(
    store as unknown as NodeReader,
    "BlobMeta",
    ids.map((id) => ({ blobId: fromHex(id) })),
  );
  const stored = await store.raw.getMany("Blobs", ids.map(fromHex));
  const { shape } = store.schema.row("BlobMeta").value;
  const counts = shape.is === "struct" && shape.fields.some(([name]) => name === "refs");
  const rows = new Map<string, BlobRow>();
  for (const [at, id] of ids.entries()) {
    const value = found[at]?.value;
    if (stored[at] !== undefined && value === undefined)
      throw new MerostoreError("BLOB_BROKEN", `the row of blob ${id} does not decode: nothing was written`);
    const before = value !== undefined && "refs" in value ? (value.refs as number) : 0;
    const refs = before + (times.get(id) ?? 1);
    if (counts && refs > MOST_REFS)
      throw new MerostoreError("BLOB_BROKEN", `blob ${id} cannot count more additions: nothing was written`);
    const size = added.sizes.get(id);
    const row =
      size === undefined
        ? { size: added.size, hash: added.hash, links: added.links }
        : { size: BigInt(size), hash: id, links: [] };
    if (value !== undefined && collides(id, value, row.links)) throw collision(id);
    rows.set(id, { ...row, refs: counts ? refs : undefined });
  }
  if (times.has(blobId)) throw collision(blobId);
  return rows;
}

/**
 * Returns whether a sound row has an id as the id of a chunk, and the new row as the id of a blob, or the other way
 * round. This is possible: a chunk whose content is the concatenated ids of a blob's chunks has the blob's id.
 */
function collides(
  id: string,
  there: { readonly size: bigint; readonly hash: Uint8Array; readonly links: readonly Uint8Array[] },
  links: readonly string[],
): boolean {
  if (there.links.length > 0) return links.length === 0 && toHex(blobRootId(there.links)) === id;
  return links.length > 0 && there.size > 0n && toHex(there.hash) === id;
}

function collision(id: string): MerostoreError {
  return new MerostoreError(
    "BLOB_IN_USE",
    `the id ${id} would stand for a chunk and for another blob, of which one would be lost: nothing was written`,
  );
}

/**
 * Yields the content in chunks of 1 MiB, all full except the last. A chunk is valid until the request for the next one.
 */
async function* chunksIn(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const chunk = new Uint8Array(CHUNK_SIZE);
  let length = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length; ) {
      const some = piece.subarray(at, at + CHUNK_SIZE - length);
      chunk.set(some, length);
      length += some.length;
      at += some.length;
      if (length < CHUNK_SIZE) continue;
      yield chunk;
      length = 0;
    }
  }
  if (length > 0) yield chunk.subarray(0, length);
}
