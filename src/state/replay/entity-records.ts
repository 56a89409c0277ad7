/** Entities at many moments in little memory: columns have their parts, and views of the deltas have their data. */
import { grown } from "../../bytes/bytes.js";
import { ID_BYTES } from "../../bytes/id-table.js";
import { NumberColumn, TimeColumn } from "../../collections/columns.js";
import { fullHash } from "../../digests/index.js";
import type { EntityMetadata } from "../index-row.js";
import { ReplayedEntity } from "./entity.js";
import type { Pieces } from "./pieces.js";

/** The number of hashes that have space at first. */
const FEW = 64;

/** No number. */
const NONE = 0xffff_ffff;

/**
 * The flags of a record: it has a time of deletion; bytes in a piece, which are its data, or that it had, or its own hash; or an object;
 * its full hash without children is known; only the application can merge its data.
 */
const [DELETED, DATA, GONE, HASH, OBJECT, HASHED, GUESS] = [1, 2, 4, 8, 16, 32, 64];

/** Entities by numbers of records, which are used again. */
export class EntityRecords {
  readonly #pieces: Pieces;
  readonly #flags = new NumberColumn();
  readonly #parents = new NumberColumn();
  readonly #writers = new NumberColumn();
  readonly #created = new TimeColumn();
  readonly #updated = new TimeColumn();
  readonly #deleted = new TimeColumn();
  /** The places of bytes: piece, offset and length. */
  readonly #pieceNumbers = new NumberColumn();
  readonly #offsets = new NumberColumn();
  readonly #lengths = new NumberColumn();
  /** Metadata that is the same but for its times. */
  readonly #metadata: (EntityMetadata | undefined)[] = [];
  readonly #plain = new Map<string, EntityMetadata>();
  /** Entities with bytes that are in no piece: few. */
  readonly #objects = new Map<number, ReplayedEntity>();
  readonly #free: number[] = [];
  /** Full hashes without children, one after another. */
  #hashes = new Uint8Array(FEW * ID_BYTES);

  /** @param pieces the bytes that records do not copy */
  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** Keeps an entity. Returns the number of its record. */
  add(entity: ReplayedEntity): number {
    const record = this.#free.pop() ?? this.#metadata.length;
    const { parent, writer, metadata, deletedAt, hashed, hash, isGone, isGuess } = entity;
    const bytes = hashed ?? hash;
    const piece = bytes === undefined ? NONE : this.#pieces.numberOf(bytes);
    const isObject = piece === undefined || (hashed !== undefined && hash !== undefined);
    this.#metadata[record] = isObject ? undefined : this.#alike(metadata);
    if (isObject) {
      this.#flags.set(record, OBJECT);
      this.#objects.set(record, entity);
      return record;
    }
    const has = bytes === undefined ? 0 : hashed === undefined ? HASH : isGone ? GONE : DATA;
    this.#flags.set(record, has | (deletedAt === undefined ? 0 : DELETED) | (isGuess ? GUESS : 0));
    this.#parents.set(record, parent ?? NONE);
    this.#writers.set(record, writer ?? NONE);
    this.#created.set(record, metadata.createdAt);
    this.#updated.set(record, metadata.updatedAt);
    if (deletedAt !== undefined) this.#deleted.set(record, deletedAt);
    if (bytes === undefined) return record;
    this.#pieceNumbers.set(record, piece);
    this.#offsets.set(record, bytes.byteOffset);
    this.#lengths.set(record, bytes.length);
    return record;
  }

  /** The entity of a record. */
  get(record: number): ReplayedEntity {
    const flags = this.#flags.get(record);
    if ((flags & OBJECT) !== 0) return this.#objects.get(record) as ReplayedEntity;
    const [parent, writer] = [this.#parents.get(record), this.#writers.get(record)];
    const bytes = (flags & (DATA | GONE | HASH)) === 0 ? undefined : this.#bytesOf(record);
    const [createdAt, updatedAt] = [this.#created.get(record), this.#updated.get(record)];
    return new ReplayedEntity({
      parent: parent === NONE ? undefined : parent,
      data: (flags & HASH) === 0 ? bytes : undefined,
      hash: (flags & HASH) === 0 ? undefined : bytes,
      isGone: (flags & GONE) !== 0,
      isGuess: (flags & GUESS) !== 0,
      metadata: { ...(this.#metadata[record] as EntityMetadata), createdAt, updatedAt },
      deletedAt: (flags & DELETED) === 0 ? undefined : this.#deleted.get(record),
      writer: writer === NONE ? undefined : writer,
    });
  }

  /** The full hash of a record's entity without its children, as a view; undefined if its own hash is not known. */
  leafHash(record: number): Uint8Array | undefined {
    const [start, flags] = [record * ID_BYTES, this.#flags.get(record)];
    if ((flags & HASHED) === 0) {
      const { ownHash } = this.get(record);
      if (ownHash === undefined) return undefined;
      if (start + ID_BYTES > this.#hashes.length)
        this.#hashes = grown(this.#hashes, new Uint8Array(2 * start + ID_BYTES));
      this.#hashes.set(fullHash(ownHash), start);
      this.#flags.set(record, flags | HASHED);
    }
    return this.#hashes.subarray(start, start + ID_BYTES);
  }

  /** The number of the delta that wrote the entity of a record; undefined below the base. */
  writerOf(record: number): number | undefined {
    if ((this.#flags.get(record) & OBJECT) !== 0) return this.#objects.get(record)?.writer;
    const writer = this.#writers.get(record);
    return writer === NONE ? undefined : writer;
  }

  /** Forgets a record. The next record gets its number. */
  free(record: number): void {
    if ((this.#flags.get(record) & OBJECT) !== 0) this.#objects.delete(record);
    this.#metadata[record] = undefined;
    this.#free.push(record);
  }

  #bytesOf(record: number): Uint8Array {
    const piece = this.#pieces.piece(this.#pieceNumbers.get(record));
    return new Uint8Array(piece.buffer, this.#offsets.get(record), this.#lengths.get(record));
  }

  /** Shares one object for metadata that is unsigned and equal except for its times. */
  #alike(metadata: EntityMetadata): EntityMetadata {
    const { storageType, crdtType, fieldName } = metadata;
    if ((storageType.kind !== "Public" && storageType.kind !== "Frozen") || "order" in metadata)
      return metadata;
    const schemaVersion = "schemaVersion" in metadata ? metadata.schemaVersion : null;
    const kind = crdtType === null ? "" : JSON.stringify(crdtType);
    const name = `${storageType.kind} ${kind} ${schemaVersion} ${fieldName}`;
    const known = this.#plain.get(name);
    if (known !== undefined) return known;
    this.#plain.set(name, metadata);
    return metadata;
  }
}
