/** The content of a blob: the files of its chunks, one after another. */

import { toHex } from "../bytes/hex.js";
import { type IdLike, idBytes } from "../bytes/id.js";
import { equalBytes } from "../bytes/order.js";
import { sha256 } from "../crypto/index.js";
import { CHUNK_SIZE } from "../digests/index.js";
import { MerostoreError } from "../errors.js";
import { type NodeReader, rowsAt } from "../node/tables/rows.js";
import { checkArgument, checkOptions, isFlag, isReader, isWholeNumber } from "../options.js";
import type { Schema } from "../schemas/index.js";
import type { StoreReader } from "../store/browser.js";
import type { BlobFiles } from "./blob-files.js";
import { hidesChunks } from "./hidden-chunks.js";

/** The most levels of blobs within blobs, as in nodes. Nodes write two. */
const DEEPEST = 64;
/** The most rows without own content in the walk through a blob, each counted as often as it is linked. */
const MOST_INNER = 2 ** 20;
/** Links whose rows are looked up together. */
const TOGETHER = 512;
/** The number of chunks to read ahead while one is hashed. */
const AT_ONCE = 4;

/** A chunk of a blob, in the order of the content. */
export interface BlobChunk {
  /** The chunk's id: SHA-256 of its bytes, 32 bytes. */
  readonly blobId: Uint8Array;
  /** The number of bytes of the chunk, from its row. */
  readonly size: bigint;
}

/** Options of reading a blob. */
export interface ReadBlobOptions {
  /** The most bytes of a blob; no limit unless given. */
  readonly mostBytes?: number | undefined;
  /** True if a chunk need be valid only until the request for the next one, so that a few buffers serve for all. */
  readonly reuse?: boolean | undefined;
}

interface BlobRow {
  readonly size: bigint;
  readonly links: readonly Uint8Array[];
}

/** Returns whether a database has a row of a blob. Then the node has the blob, or had it. */
export async function hasBlob(reader: StoreReader<Schema>, blobId: IdLike): Promise<boolean> {
  checkArgument("hasBlob", reader, isReader);
  return (await rowOf(reader, idBytes(blobId))) !== undefined;
}

/**
 * The chunks of a blob, in the order of the content; none for an empty blob. Blobs in blobs are followed, as nodes do:
 * 64 levels, 1,048,576 rows without content of their own.
 *
 * @throws MerostoreError `BLOB_NOT_FOUND` if the blob has no row; `BLOB_BROKEN` if a row is missing or does not decode,
 *   the blob contains itself, or the chunks have more or fewer bytes than the blob
 */
export async function* blobChunks(
  reader: StoreReader<Schema>,
  blob: IdLike,
): AsyncGenerator<BlobChunk, void, undefined> {
  checkArgument("blobChunks", reader, isReader);
  const blobId = idBytes(blob);
  const root = await rowOf(reader, blobId);
  if (root === undefined)
    throw new MerostoreError(
      "BLOB_NOT_FOUND",
      `the blob ${toHex(blobId)} has no row, or one that does not decode`,
    );
  let inner = 0;
  let size = 0n;
  /**
   * The visited parts without content. If such a part comes again at the same or a higher level, it is counted but not
   * followed again.
   */
  const empty = new Map<string, { readonly parts: number; readonly level: number }>();
  const count = (parts: number): void => {
    inner += parts;
    if (inner > MOST_INNER)
      throw broken(blobId, `has more than ${MOST_INNER} parts that have no content of their own`);
  };
  const walk = async function* (
    id: Uint8Array,
    row: BlobRow,
    above: readonly string[],
  ): AsyncGenerator<BlobChunk, void, undefined> {
    if (row.links.length === 0 && row.size > 0n) {
      size += row.size;
      if (size > root.size) throw broken(blobId, "has more bytes in its chunks than its row says");
      yield { blobId: id, size: row.size };
      return;
    }
    const hex = toHex(id);
    const known = empty.get(hex);
    const isKnown = known !== undefined && above.length <= known.level;
    count(isKnown ? known.parts : 1);
    if (isKnown || row.links.length === 0) return;
    const [innerBefore, sizeBefore] = [inner, size];
    if (above.includes(hex)) throw broken(id, "contains itself");
    if (above.length >= DEEPEST) throw broken(blobId, `has more than ${DEEPEST} levels`);
    for (let at = 0; at < row.links.length; at += TOGETHER) {
      const links = row.links.slice(at, at + TOGETHER);
      const rows = await rowsOfBlobs(reader, links);
      for (const link of links) {
        const part = rows.get(toHex(link));
        if (part === undefined)
          throw broken(
            link,
            hidesChunks(reader.schema)
              ? "is a chunk of the blob, and lies under an id that is not known"
              : "is a chunk of the blob, and has no row that decodes",
          );
        yield* walk(link, part, [...above, hex]);
      }
    }
    if (size === sizeBefore) empty.set(hex, { parts: 1 + inner - innerBefore, level: above.length });
  };
  yield* walk(blobId, root, []);
  if (size < root.size) throw broken(blobId, "has fewer bytes in its chunks than its row says");
}

/**
 * The content of a blob, chunk by chunk; each is checked against its id before it is returned. The next chunks are read
 * meanwhile.
 *
 * @throws MerostoreError `BLOB_NOT_FOUND`, `BLOB_BROKEN` as {@link blobChunks}, also for a chunk whose file is missing
 *   or has other content
 */
export async function* readBlob(
  reader: StoreReader<Schema>,
  files: BlobFiles,
  blob: IdLike,
  options: ReadBlobOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  checkArgument("readBlob", reader, isReader);
  checkOptions("readBlob", options, { mostBytes: isWholeNumber(0), reuse: isFlag });
  const { mostBytes, reuse = false } = options;
  const blobId = idBytes(blob);
  let length = 0;
  let fullChunks = 0;
  const buffers: Uint8Array[] = [];
  const reading: Promise<Uint8Array>[] = [];
  for await (const { blobId: id, size } of blobChunks(reader, blobId)) {
    length += Number(size);
    if (mostBytes !== undefined && length > mostBytes)
      throw broken(blobId, `is larger than ${mostBytes} bytes`);
    // Every chunk except the last is full.
    const turn = fullChunks % AT_ONCE;
    const isFull = reuse && size === BigInt(CHUNK_SIZE);
    if (isFull && fullChunks++ < AT_ONCE) buffers.push(new Uint8Array(CHUNK_SIZE));
    const buffer = isFull ? buffers[turn] : undefined;
    const content = checked(files, id, size, buffer);
    content.catch(() => undefined); // reported when its turn comes
    reading.push(content);
    if (reading.length === AT_ONCE) yield (await reading.shift()) as Uint8Array;
  }
  for (const content of reading) yield await content;
}

async function checked(
  files: BlobFiles,
  id: Uint8Array,
  size: bigint,
  buffer: Uint8Array | undefined,
): Promise<Uint8Array> {
  const bytes = await files.read(id, buffer);
  if (bytes === undefined) throw broken(id, "has no file in the folder of blobs");
  if (BigInt(bytes.length) !== size)
    throw broken(id, `has a file with other content: ${bytes.length} bytes instead of ${size}`);
  if (!equalBytes(sha256(bytes), id)) throw broken(id, "has a file with other content");
  return bytes;
}

async function rowOf(reader: StoreReader<Schema>, blobId: Uint8Array): Promise<BlobRow | undefined> {
  return (await rowsOfBlobs(reader, [blobId])).get(toHex(blobId));
}

/**
 * The decoded rows of blobs, by id. A row that is named repeatedly is in memory once, because it may have many links.
 */
async function rowsOfBlobs(
  reader: StoreReader<Schema>,
  blobIds: readonly Uint8Array[],
): Promise<ReadonlyMap<string, BlobRow>> {
  const unique = new Map(blobIds.map((blobId) => [toHex(blobId), blobId]));
  const rows = await rowsAt(
    reader as unknown as NodeReader,
    "BlobMeta",
    [...unique.values()].map((blobId) => ({ blobId })),
  );
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[toHex(row.key.blobId), row.value]])));
}

function broken(id: Uint8Array, problem: string): MerostoreError {
  return new MerostoreError("BLOB_BROKEN", `blob ${toHex(id)} ${problem}`);
}
