/** Reads a page's database for rules: rows in batches, and the contents that are not damaged. */
import type { ByteRange, EngineReader, RawRow } from "merostore/engine";
import { isMerostoreError, toHex } from "merostore/internal";
import { digestFits, type ObjectDigest, type ObjectIdentifier, objectType, pieceType } from "../objects.js";
import type { KeySegments, KeyValues } from "../rows/key-template.js";
import { commitRow, headRow, objectRow } from "../rows/page-rows.js";
import { COLUMN, hasRow, type Row } from "../rows/row.js";
import { type Commit, readCommit } from "../storage/commit.js";
import { CommitStore } from "../storage/commit-store.js";
import { ObjectReader } from "../storage/object-reader.js";
import { PieceStore } from "../storage/piece-store.js";
import { decodeFileIndex, type FileIndex } from "../tables/file-index.js";
import type { TreeNode } from "../tables/tree-node.js";

/** Points to the current item of a list that is read in chunks. */
export class Cursor<T> {
  readonly #chunks: AsyncIterator<readonly T[]>;
  #chunk: readonly T[] = [];
  #at = 0;

  /** Must be moved once before it has an item. */
  constructor(chunks: AsyncIterable<readonly T[]>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined before the first item and after the last one. */
  get item(): T | undefined {
    return this.#chunk[this.#at];
  }

  /** Moves to the next item. */
  async move(): Promise<void> {
    this.#at++;
    while (this.#at >= this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      this.#at = 0;
      this.#chunk = done === true ? [] : value;
      if (done === true) return;
    }
  }
}

/** A stored piece with edges to others, whose content fits its digest. */
export interface ParentPiece {
  readonly digest: ObjectDigest;
  /** Undefined for a chunk. */
  readonly index: FileIndex | undefined;
  /** Undefined for a piece that is not the root of a tree node. */
  readonly node: TreeNode | undefined;
}

/** Most rows of a batch. */
const BATCH = 256;

export class CheckedPage {
  readonly reader: EngineReader;
  readonly pieces: PieceStore;
  readonly objects: ObjectReader;
  readonly #commits: CommitStore;
  readonly #onRows: (rows: number) => void;
  #checked = 0;

  /** @param onRows called with the number of rows after each read */
  constructor(reader: EngineReader, onRows: (rows: number) => void) {
    this.reader = reader;
    this.pieces = new PieceStore(reader);
    this.objects = new ObjectReader(this.pieces);
    // Only the root of the first commit has this number, and no rule looks at it.
    this.#commits = new CommitStore(reader, 0);
    this.#onRows = onRows;
  }

  /** Counts the items that a rule has checked. */
  count(checked: number): void {
    this.#checked += checked;
  }

  /** Returns the count, and resets it. */
  takeCount(): number {
    const checked = this.#checked;
    this.#checked = 0;
    return checked;
  }

  /** Yields the rows of a range in batches of some hundreds. */
  async *batches(range: ByteRange, keysOnly = false): AsyncGenerator<readonly RawRow[], void, undefined> {
    for await (const rows of this.reader.scan(COLUMN, range, { keysOnly }).chunks()) {
      this.#onRows(rows.length);
      for (let at = 0; at < rows.length; at += BATCH) yield rows.slice(at, at + BATCH);
    }
  }

  /** Yields the rows of one kind in batches, with the parts of their keys. */
  async *rowsOf<const S extends KeySegments, V>(
    row: Row<S, V>,
    { keysOnly = false, range = row.range() } = {},
  ): AsyncGenerator<readonly (RawRow & { readonly parts: KeyValues<S> })[], void, undefined> {
    for await (const rows of this.batches(range, keysOnly))
      yield rows.flatMap(({ key, value }) => {
        const parts = row.key.parse(key);
        return parts === undefined ? [] : [{ key, value, parts }];
      });
  }

  /** Returns whether there is a row in a range. */
  any(range: ByteRange): Promise<boolean> {
    return hasRow(this.reader, range);
  }

  /** Returns which keys have rows. For rows without values. */
  async present(keys: readonly Uint8Array[]): Promise<boolean[]> {
    if (keys.length === 0) return [];
    return (await this.reader.getMany(COLUMN, keys)).map((value) => value !== undefined);
  }

  /** Reads a commit; `damaged` for a damaged row, which another rule reports. */
  commit(id: Uint8Array): Promise<Commit | "damaged" | undefined> {
    return unlessDamaged(() => this.#commits.find(id), "damaged" as const);
  }

  /** Yields all stored commits, without the damaged ones. */
  async *commits(): AsyncGenerator<readonly Commit[], void, undefined> {
    for await (const rows of this.rowsOf(commitRow)) {
      const commits: Commit[] = [];
      for (const { parts, value } of rows) {
        const commit = await unlessDamaged(async () => readCommit(parts.commit, value), undefined);
        if (commit !== undefined) commits.push(commit);
      }
      yield commits;
    }
  }

  /** Returns the ids of the heads, as hex. */
  async heads(): Promise<Set<string>> {
    const heads = new Set<string>();
    for await (const rows of this.rowsOf(headRow, { keysOnly: true }))
      for (const { parts } of rows) heads.add(toHex(parts.commit));
    return heads;
  }

  /** Reads a tree node; undefined if it is missing or damaged, which another rule reports. */
  node(identifier: ObjectIdentifier): Promise<TreeNode | undefined> {
    return unlessDamaged(() => this.objects.node(identifier), undefined);
  }

  /** Yields the digests of all stored pieces, ascending. */
  async *digests(): AsyncGenerator<readonly ObjectDigest[], void, undefined> {
    for await (const rows of this.rowsOf(objectRow, { keysOnly: true }))
      yield rows.map(({ parts }) => parts.digest);
  }

  /** Returns the size of a stored piece in bytes, even if it is damaged. */
  async lengthOf(digest: ObjectDigest): Promise<number | undefined> {
    return (await this.reader.get(COLUMN, objectRow.key.encode({ digest })))?.length;
  }

  /** Returns a piece with edges; undefined if it is not stored, is damaged, or has no edges. */
  async parentPiece(digest: ObjectDigest, content?: Uint8Array): Promise<ParentPiece | undefined> {
    const isNode = objectType(digest) === "tree-node";
    const isIndex = pieceType(digest) === "index";
    if (!isNode && !isIndex) return undefined;
    const bytes = content ?? (await unlessDamaged(() => this.pieces.read(digest), undefined));
    if (bytes === undefined || !digestFits(digest, bytes)) return undefined;
    const index = isIndex ? await unlessDamaged(async () => decodeFileIndex(bytes), undefined) : undefined;
    const node = isNode ? await this.node({ keyIndex: 0, digest }) : undefined;
    return (isIndex && index === undefined) || (isNode && node === undefined)
      ? undefined
      : { digest, index, node };
  }

  /** Yields all stored pieces with edges. Does not read the chunks of values, which are most of a page. */
  async *parentPieces(): AsyncGenerator<readonly ParentPiece[], void, undefined> {
    for (const range of PARENT_RANGES)
      for await (const rows of this.rowsOf(objectRow, { range })) {
        const found: ParentPiece[] = [];
        for (const { parts, value } of rows) {
          const piece = await this.parentPiece(parts.digest, value);
          if (piece !== undefined) found.push(piece);
        }
        yield found;
      }
  }
}

/** The ranges of digests by their type byte: indexes of values, and tree nodes of one piece or of several. */
const PARENT_RANGES: readonly ByteRange[] = [0x02, 0x04, 0x06].map((type) => ({
  gte: objectStart(type),
  lt: objectStart(type + 1),
}));

function objectStart(type: number): Uint8Array {
  const prefix = objectRow.key.prefix({});
  const start = new Uint8Array(prefix.length + 1);
  start.set(prefix);
  start[prefix.length] = type;
  return start;
}

/** Returns the result of the read, or the fallback if rows are damaged or missing. */
async function unlessDamaged<T, F>(read: () => Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await read();
  } catch (error) {
    if (isMerostoreError(error, "DATA_INTEGRITY_ERROR") || isMerostoreError(error, "NEEDS_FETCH"))
      return fallback;
    throw error;
  }
}
