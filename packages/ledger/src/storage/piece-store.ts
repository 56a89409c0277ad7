/** The pieces of a page, their statuses and their edges. */

import type { ByteRange, EngineReader, WriteOperation } from "merostore/engine";
import { copyBytes, LruCache, toHex } from "merostore/internal";
import { digestFits, inlineContent, isInline, type ObjectDigest, type ObjectIdentifier } from "../objects.js";
import type { Edge, NewPiece } from "../pieces/edges.js";
import {
  eagerEdgeRow,
  lazyEdgeRow,
  objectRow,
  PIECE_STATUSES,
  type PieceStatus,
  statusRange,
  statusRows,
} from "../rows/page-rows.js";
import { COLUMN } from "../rows/row.js";
import { damage } from "../tables/table-reader.js";

/** The value of the rows of edges. */
const EMPTY = new Uint8Array(0);

/** Bytes of pieces that are cached. */
const CACHED_BYTES = 16 << 20;
/**
 * If the cache is full, only one of this many pieces is cached, and evicts others. Otherwise repeated reading of more
 * pieces than the cache can hold would evict each before its next use.
 */
const EVICT_FOR_ONE_OF = 32;

export class PieceStore {
  readonly #engine: EngineReader;
  /** Pieces that {@link PieceStore.readMany} has read. */
  readonly #cache = new LruCache<Uint8Array>(CACHED_BYTES);
  /** Pieces that were read while the cache was full. */
  #readWhileFull = 0;

  /**
   * Pieces of trees that no stored commit has: their contents by the hex of their digests, in memory only. They have no
   * rows.
   */
  readonly staged = new Map<string, Uint8Array>();

  /** Numbers of encryption keys that pieces have. */
  readonly keyIndexes = new KeyIndexes();
  /** Statuses that pieces have: all that do, once all numbers are known. */
  readonly #statuses = new Set<PieceStatus>();

  constructor(engine: EngineReader) {
    this.#engine = engine;
  }

  /**
   * Reads the content of a piece; undefined if it is not on this device.
   * @throws MerostoreError DATA_INTEGRITY_ERROR if the content has another digest
   */
  async read(digest: ObjectDigest): Promise<Uint8Array | undefined> {
    if (isInline(digest)) return inlineContent(digest);
    const staged = this.staged.size === 0 ? undefined : this.staged.get(toHex(digest));
    return staged ?? this.stored(digest);
  }

  /** {@link PieceStore.read} of a piece that has rows. */
  async stored(digest: ObjectDigest): Promise<Uint8Array | undefined> {
    const content = await this.#engine.get(COLUMN, objectRow.key.encode({ digest }));
    return content === undefined ? undefined : verified(digest, content);
  }

  /** {@link PieceStore.read} of several pieces at once. Caches many of them; each caller gets copies. */
  async readMany(digests: readonly ObjectDigest[]): Promise<(Uint8Array | undefined)[]> {
    const contents = digests.map((digest) => {
      if (isInline(digest)) return inlineContent(digest);
      const kept = this.staged.get(toHex(digest)) ?? this.#cache.get(toHex(digest));
      return kept && copyBytes(kept);
    });
    const missing = digests.flatMap((digest, index) =>
      contents[index] === undefined ? [{ digest, index }] : [],
    );
    if (missing.length === 0) return contents;
    const keys = missing.map(({ digest }) => objectRow.key.encode({ digest }));
    const found = await this.#engine.getMany(COLUMN, keys);
    for (const [at, { digest, index }] of missing.entries()) {
      const content = found[at];
      if (content === undefined) continue;
      contents[index] = verified(digest, content);
      if (this.#cache.hasRoom(content.length) || ++this.#readWhileFull % EVICT_FOR_ONE_OF === 0)
        this.#cache.set(toHex(digest), copyBytes(content), content.length);
    }
    return contents;
  }

  /** Returns the status of each piece; undefined for missing pieces. */
  async statuses(identifiers: readonly ObjectIdentifier[]): Promise<(PieceStatus | undefined)[]> {
    const possible = this.#possibleStatuses;
    const keys = identifiers.flatMap((identifier) =>
      possible.map((status) => statusRows[status].key.encode({ identifier })),
    );
    const found = keys.length === 0 ? [] : await this.#engine.getMany(COLUMN, keys);
    return identifiers.map((_, index) =>
      possible.findLast((_status, rank) => found[possible.length * index + rank] !== undefined),
    );
  }

  /** Returns whether an identifier with this digest has a status. */
  async hasStatus(digest: ObjectDigest, status: PieceStatus): Promise<boolean> {
    return (await this.#statusKeys(digest, [status])).length > 0;
  }

  /** Returns the operations that store pieces. The status of pieces that are stored already is raised. */
  async store(pieces: readonly NewPiece[], status: PieceStatus): Promise<WriteOperation[]> {
    const before = await this.statuses(pieces.map(({ identifier }) => identifier));
    return pieces.flatMap((piece, index) => [
      ...(before[index] === undefined ? putPiece(piece) : []),
      ...this.#raise(piece.identifier, before[index], status),
    ]);
  }

  /** Returns the operations that store the content of pieces, even of pieces that have a status. */
  async restore(pieces: readonly NewPiece[], status: PieceStatus): Promise<WriteOperation[]> {
    const before = await this.statuses(pieces.map(({ identifier }) => identifier));
    return pieces.flatMap((piece, index) => [
      ...putPiece(piece),
      ...this.#raise(piece.identifier, before[index], status),
    ]);
  }

  /** Returns the operations that raise the status of pieces. Never lowers a status; a missing piece gets none. */
  async raise(identifiers: readonly ObjectIdentifier[], status: PieceStatus): Promise<WriteOperation[]> {
    const before = await this.statuses(identifiers);
    return identifiers.flatMap((identifier, index) =>
      before[index] === undefined ? [] : this.#raise(identifier, before[index], status),
    );
  }

  /** Notes that a stored piece has a status. */
  noteStatus(status: PieceStatus, keyIndex: number): void {
    this.#statuses.add(status);
    this.keyIndexes.add(keyIndex);
  }

  /** Yields the pieces with a status. */
  async *withStatus(status: PieceStatus): AsyncGenerator<ObjectIdentifier, void, undefined> {
    const row = statusRows[status];
    for await (const key of this.#engine.scan(COLUMN, row.range()).keys()) yield row.parts(key).identifier;
  }

  /** Returns the operations that remove a piece, its statuses and its edges; none for a missing piece. */
  async remove(digest: ObjectDigest, edges: readonly Edge[]): Promise<WriteOperation[]> {
    this.#cache.delete(toHex(digest));
    const numbers = this.keyIndexes.all;
    const statuses =
      numbers === undefined ? await this.#statusKeys(digest) : await this.#knownStatusKeys(digest, numbers);
    if (statuses.length === 0) return [];
    return [
      objectRow.delete({ digest }),
      ...statuses.map((key): WriteOperation => ({ type: "delete", column: COLUMN, key })),
      ...edgeKeys(digest, edges).map((key): WriteOperation => ({ type: "delete", column: COLUMN, key })),
    ];
  }

  #raise(
    identifier: ObjectIdentifier,
    from: PieceStatus | undefined,
    to: PieceStatus,
  ): readonly WriteOperation[] {
    if (from !== undefined && PIECE_STATUSES.indexOf(from) >= PIECE_STATUSES.indexOf(to)) return [];
    this.noteStatus(to, identifier.keyIndex);
    const put = statusRows[to].put({ identifier }, null);
    return from === undefined ? [put] : [statusRows[from].delete({ identifier }), put];
  }

  /**
   * Like {@link #statusKeys}, once the numbers of all encryption keys are known: a lookup costs less than iterators.
   */
  async #knownStatusKeys(digest: ObjectDigest, numbers: readonly number[]): Promise<Uint8Array[]> {
    const keys = numbers.flatMap((keyIndex) =>
      this.#possibleStatuses.map((status) =>
        statusRows[status].key.encode({ identifier: { keyIndex, digest } }),
      ),
    );
    const found = await this.#engine.getMany(COLUMN, keys);
    return keys.filter((_, index) => found[index] !== undefined);
  }

  /** The statuses that a piece may have. Most pages have one: each that is left out saves a lookup for each piece. */
  get #possibleStatuses(): readonly PieceStatus[] {
    if (this.keyIndexes.all === undefined) return PIECE_STATUSES;
    return PIECE_STATUSES.filter((status) => this.#statuses.has(status));
  }

  /** Returns the keys of the status rows of a digest, under the numbers of all encryption keys. */
  async #statusKeys(digest: ObjectDigest, statuses = PIECE_STATUSES): Promise<Uint8Array[]> {
    const found = await Promise.all(
      statuses.map((status) => keysOf(this.#engine, statusRange(status, digest))),
    );
    return found.flat();
  }
}

/** Returns the keys of a range. */
export function keysOf(engine: EngineReader, range: ByteRange): Promise<Uint8Array[]> {
  return engine.scan(COLUMN, range).keys().toArray();
}

function putPiece({ identifier: { digest }, content, edges }: NewPiece): WriteOperation[] {
  return [
    objectRow.put({ digest }, content),
    ...edgeKeys(digest, edges).map(
      (key): WriteOperation => ({ type: "put", column: COLUMN, key, value: EMPTY }),
    ),
  ];
}

/** Returns the kind of row of an edge from a piece. */
export function edgeRow({ priority }: Edge): typeof eagerEdgeRow | typeof lazyEdgeRow {
  return priority === "lazy" ? lazyEdgeRow : eagerEdgeRow;
}

/** Returns the keys of the rows of edges from a piece. */
function edgeKeys(source: ObjectDigest, edges: readonly Edge[]): Uint8Array[] {
  const [first] = edges;
  if (first === undefined) return [];
  const parts = { destination: first.digest, source };
  const eager = eagerEdgeRow.key.varying("destination", parts);
  const lazy = lazyEdgeRow.key.varying("destination", parts);
  return edges.map(({ digest, priority }) => (priority === "lazy" ? lazy : eager)(digest));
}

function verified(digest: ObjectDigest, content: Uint8Array): Uint8Array {
  if (digestFits(digest, content)) return content;
  throw damage(`the piece objects/${toHex(digest)} is damaged: its content has another digest`);
}

/** The most numbers in memory: damaged or hostile rows may have any number. */
const MOST = 256;

/**
 * The numbers of the encryption keys that the pieces of a page have: mostly one, and one more for each change of the
 * key.
 */
export class KeyIndexes {
  readonly #numbers = new Set<number>();
  #isFull = false;
  #isComplete = false;

  add(number: number): void {
    if (this.#numbers.size < MOST) this.#numbers.add(number);
    else if (!this.#numbers.has(number)) this.#isFull = true;
  }

  has(number: number): boolean {
    return this.#numbers.has(number);
  }

  /** Notes that all numbers were added: all statuses were read since the opening. */
  complete(): void {
    this.#isComplete = true;
  }

  /** All numbers; undefined while there may be others. */
  get all(): readonly number[] | undefined {
    return this.#isComplete && !this.#isFull ? [...this.#numbers] : undefined;
  }
}
