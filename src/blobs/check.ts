/** A check of all blobs and of the files beside them: it finds missing, left-over and broken ones. */
import { fromHex, toHex } from "../bytes/hex.js";
import { equalBytes } from "../bytes/order.js";
import { count } from "../bytes/quantity.js";
import { sha256, startSha256 } from "../crypto/index.js";
import { blobRootId, CHUNK_SIZE } from "../digests/index.js";
import { isMerostoreError } from "../errors.js";
import { checkArgument, checkOptions, isReader } from "../options.js";
import { Pause } from "../pause.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import type { Store } from "../store/browser.js";
import { isFolderOfBlobs } from "./blob-files.js";
import type { BlobFolder } from "./blob-folder.js";
import { readBlob } from "./content.js";
import { hidesChunks } from "./hidden-chunks.js";
import { type BlobTable, readBlobTable } from "./table.js";
import { type BlobUses, readBlobUses } from "./uses.js";

/** The faults of a blob, a chunk or a file. */
export type BlobState =
  /** A chunk has a row and no file: its content is lost. */
  | "file-missing"
  /** The file of a chunk is empty: a node was killed while it wrote. */
  | "file-empty"
  /** The file of a chunk has content with another id. */
  | "file-damaged"
  /** A blob links a chunk that has no row. */
  | "chunk-missing"
  /** A row does not decode, or contradicts itself, its chunks or their content. */
  | "row-broken"
  /** A row counts no addition, or fewer than blobs need: the next deletion may lose content. */
  | "count-low"
  /** A row counts more than blobs need: a deletion leaves it behind. */
  | "count-high"
  /** An application, a group or a context names a missing blob. */
  | "blob-missing"
  /** No blob has the chunk, because an addition broke off. */
  | "chunk-unused"
  /** No application, group or context names the blob. An application's data may. */
  | "blob-unnamed"
  /** A file has no row: a node was killed between the two. */
  | "file-without-row"
  /** A file that a process did not finish. */
  | "file-unfinished"
  /** Something in the folder that a node did not write. */
  | "file-foreign";

/** A fault of a blob, a chunk or a file. */
export interface BlobFinding {
  /** The fault. */
  readonly state: BlobState;
  /** `error`: content is lost or wrong; `warning`: content may be lost or wrong; `info`: at most space is lost. */
  readonly severity: "error" | "warning" | "info";
  /** The blob or chunk, 64 hex digits; undefined for a file that does not have the name of an id. */
  readonly blobId: string | undefined;
  /** The name of a foreign file, with any characters; undefined for a file that has the name of an id. */
  readonly file: string | undefined;
  /** A sentence that describes the fault. */
  readonly message: string;
}

const SEVERITIES: Readonly<Record<BlobState, BlobFinding["severity"]>> = {
  "file-missing": "error",
  "file-empty": "error",
  "file-damaged": "error",
  "chunk-missing": "error",
  "row-broken": "error",
  "count-low": "warning",
  "count-high": "info",
  "blob-missing": "warning",
  "chunk-unused": "info",
  "blob-unnamed": "info",
  "file-without-row": "info",
  "file-unfinished": "info",
  "file-foreign": "info",
};

/**
 * Checks all blobs: rows, files, names and counts. Every chunk's file is read and hashed, and every blob's content.
 *
 * @param folder the folder of files
 * @param options the progress counts files: once for each chunk, once for each place of a chunk in a blob
 */
export async function* checkBlobs(
  store: Store,
  folder: BlobFolder,
  options: ProgressOptions = {},
): AsyncGenerator<BlobFinding, void, undefined> {
  checkArgument("checkBlobs", store, isReader);
  checkArgument("checkBlobs", folder, isFolderOfBlobs);
  checkOptions("checkBlobs", options, progressOptions);
  const follower = new Follower(options, "files");
  const table = await readBlobTable(store);
  const uses = await readBlobUses(store);
  for (const id of table.unreadable) yield finding("row-broken", "the row does not decode", id);
  const hidden = hidesChunks(store.schema);
  yield* rowFindings(table, hidden);
  if (hidden) return;
  const bad = new Set<string>();
  const onFile = (): void => follower.add(1);
  for await (const found of fileFindings(table, folder, onFile)) {
    if (found.blobId !== undefined) bad.add(found.blobId);
    yield found;
  }
  yield* contentFindings(store, table, folder, bad, onFile);
  yield* nameFindings(table, uses);
  follower.end();
}

function finding(state: BlobState, message: string, blobId: string | undefined, file?: string): BlobFinding {
  return { state, severity: SEVERITIES[state], blobId, file, message };
}

function* rowFindings(table: BlobTable, hidden: boolean): Generator<BlobFinding, void, undefined> {
  for (const [id, { size, hash, links, refs }] of table.rows) {
    if (links.length === 0) {
      if (hidden) continue;
      const isWrong = size === 0n ? hash !== EMPTY || id !== EMPTY : hash !== id;
      if (isWrong) yield finding("row-broken", "the id is not the hash of the content", id);
      if (size > BigInt(CHUNK_SIZE)) yield finding("row-broken", "the chunk has more than 1 MiB", id);
    } else if (toHex(blobRootId(links.map(fromHex))) !== id)
      yield finding("row-broken", "the id does not follow from the chunks", id);
    if (hidden) continue;
    for (const link of new Set(links))
      if (!table.rows.has(link) && !table.unreadable.has(link))
        yield finding("chunk-missing", `the chunk has no row, and blob ${id} needs it`, link);
    const expected = table.expectedRefs(id);
    if (refs === undefined || expected === undefined) continue;
    if (refs < expected)
      yield finding("count-low", `the row counts ${refs} references instead of ${expected}`, id);
    else if (refs > expected)
      yield finding("count-high", `the row counts ${refs} references instead of ${expected}`, id);
  }
}

const EMPTY = toHex(sha256());

async function* fileFindings(
  table: BlobTable,
  folder: BlobFolder,
  onFile: () => void,
): AsyncGenerator<BlobFinding, void, undefined> {
  const pause = new Pause();
  const buffer = new Uint8Array(CHUNK_SIZE);
  for (const [id, { size }] of table.rows) {
    if (!table.isChunk(id)) continue;
    const key = fromHex(id);
    const content = await folder.read(key, buffer);
    const chunk = chunkText(table.parentsOf(id));
    if (content === undefined) yield finding("file-missing", `${chunk} has no file: its content is lost`, id);
    else if (content.length === 0) yield finding("file-empty", `the file of ${chunk} is empty`, id);
    else if (BigInt(content.length) !== size || !equalBytes(sha256(content), key))
      yield finding("file-damaged", `the file of ${chunk} has other content`, id);
    onFile();
    await pause.ifLong();
  }
  for await (const { name, kind, blobId } of folder.entries()) {
    const id = blobId && toHex(blobId);
    if (kind === "unfinished") yield finding("file-unfinished", "the file was not finished", undefined, name);
    else if (id === undefined) yield finding("file-foreign", "a node did not write it", undefined, name);
    else if (!table.rows.has(id) && !table.unreadable.has(id))
      yield finding("file-without-row", "the file has no row", id);
    else if (table.rows.has(id) && !table.isChunk(id))
      yield finding("file-foreign", "the row describes a whole blob, which has no file", id, name);
  }
}

/** `the chunk of blob 5286d9f4…`; only the chunk if no blob has it. */
function chunkText([blob, ...more]: readonly string[]): string {
  if (blob === undefined) return "the chunk";
  return `the chunk of blob ${blob}${more.length === 0 ? "" : ` and ${count(more.length)} more`}`;
}

/** Sizes and hashes of whole blobs. A blob with a chunk that was reported is not reported again. */
async function* contentFindings(
  store: Store,
  table: BlobTable,
  folder: BlobFolder,
  bad: ReadonlySet<string>,
  onFile: () => void,
): AsyncGenerator<BlobFinding, void, undefined> {
  for (const [id, { hash, links }] of table.rows) {
    if (links.length === 0 || links.some((link) => bad.has(link) || !table.rows.has(link))) continue;
    const whole = startSha256();
    try {
      for await (const chunk of readBlob(store, folder, fromHex(id), { reuse: true })) {
        whole.update(chunk);
        onFile();
      }
    } catch (error) {
      if (!isMerostoreError(error, "BLOB_BROKEN")) throw error;
      yield finding("row-broken", error.message, id);
      continue;
    }
    if (toHex(new Uint8Array(whole.digest())) !== hash)
      yield finding("row-broken", "the content has another hash than the row", id);
  }
}

function* nameFindings(table: BlobTable, uses: BlobUses): Generator<BlobFinding, void, undefined> {
  for (const [id, [use]] of uses)
    if (!table.rows.has(id) && use !== undefined)
      yield finding("blob-missing", `the row ${use.kind} of ${use.id} names the blob`, id);
  for (const id of table.rows.keys())
    if (table.isChunk(id) && table.parentsOf(id).length === 0 && !uses.has(id))
      yield finding("chunk-unused", "no blob has the chunk", id);
  for (const id of table.roots())
    if (!uses.has(id)) yield finding("blob-unnamed", "no application, group or context names the blob", id);
}
