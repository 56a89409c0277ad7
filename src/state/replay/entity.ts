/** An entity at a moment of a replay. */
import { ownHash } from "../../digests/index.js";
import type { EntityMetadata } from "../index-row.js";

/** The parts of an entity. */
interface Parts {
  readonly parent: number | undefined;
  readonly data: Uint8Array | undefined;
  readonly metadata: EntityMetadata;
  readonly deletedAt: bigint | undefined;
  readonly writer: number | undefined;
  /** The own hash, if it is not the hash of the data. */
  readonly hash?: Uint8Array | undefined;
  /** True if the data is only there to be hashed. */
  readonly isGone?: boolean;
  /** True if only the application can merge the data: it is that of the later write. */
  readonly isGuess?: boolean;
}

/** An entity at a moment. It is immutable: a change replaces it. */
export class ReplayedEntity {
  /** The number of the parent; undefined for the root, and for an entity that names no parent. */
  readonly parent: number | undefined;
  /** The data of the own hash. A deleted entity has no data any more, but still this hash. */
  readonly hashed: Uint8Array | undefined;
  /** True if the entity has no data any more. */
  readonly isGone: boolean;
  /** True if only the application can merge the data of concurrent deltas: it is that of the later write. */
  readonly isGuess: boolean;
  /** The own hash if it is not the hash of the data, 32 bytes. */
  readonly hash: Uint8Array | undefined;
  /** Times, owner and kind. */
  readonly metadata: EntityMetadata;
  /** When it was deleted, in nanoseconds since 1970; undefined while it lives. */
  readonly deletedAt: bigint | undefined;
  /** The number of the delta that wrote or deleted it last; undefined below the base. */
  readonly writer: number | undefined;

  constructor({ parent, data, metadata, deletedAt, writer, hash, isGone = false, isGuess = false }: Parts) {
    this.parent = parent;
    this.hashed = data;
    this.isGone = isGone;
    this.isGuess = isGuess;
    this.hash = hash;
    this.metadata = metadata;
    this.deletedAt = deletedAt;
    this.writer = writer;
  }

  /** The entity's data; undefined once it is deleted, and if no known delta wrote it. */
  get data(): Uint8Array | undefined {
    return this.isGone ? undefined : this.hashed;
  }

  /** SHA-256 of the data, 32 bytes; for a deleted entity, of its former data; undefined if it is not known. */
  get ownHash(): Uint8Array | undefined {
    return this.hash ?? (this.hashed && ownHash(this.hashed));
  }

  /** The same entity with other metadata, or as it was before its deletion. */
  with(changes: Partial<Pick<Parts, "metadata" | "deletedAt">>): ReplayedEntity {
    return new ReplayedEntity({ ...this.#parts(), ...changes });
  }

  /** The same entity, deleted. */
  deleted(deletedAt: bigint, metadata: EntityMetadata, writer: number | undefined): ReplayedEntity {
    return new ReplayedEntity({ ...this.#parts(), isGone: true, deletedAt, metadata, writer });
  }

  /** The same entity with unknown data. */
  unknown(): ReplayedEntity {
    return new ReplayedEntity({ ...this.#parts(), data: undefined, hash: undefined });
  }

  #parts(): Parts {
    const { parent, hashed: data, metadata, deletedAt, writer, hash, isGone, isGuess } = this;
    return { parent, data, metadata, deletedAt, writer, hash, isGone, isGuess };
  }
}
