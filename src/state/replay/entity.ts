/** An entity as of a moment of a replay. */
import { ownHash } from "../../digests/index.js";
import type { EntityMetadata } from "../index-row.js";

/** The parts of an entity that a change may replace. */
type Parts = Pick<ReplayedEntity, "parent" | "data" | "metadata" | "deletedAt" | "writer">;

/** An entity as of a moment. Records do not change: a change puts another one in their place. */
export class ReplayedEntity {
  /** The number of the entity above; undefined for the root, and for an entity that names none. */
  readonly parent: number | undefined;
  /** The entity's data; undefined once it is deleted, and where no delta that is there wrote it. */
  readonly data: Uint8Array | undefined;
  /** Times, owner and kind. */
  readonly metadata: EntityMetadata;
  /** When it was deleted, in nanoseconds since 1970; undefined while it lives. */
  readonly deletedAt: bigint | undefined;
  /** The number of the delta that wrote or deleted it last; undefined below the base. */
  readonly writer: number | undefined;
  #ownHash: Uint8Array | undefined;

  /** @param hash SHA-256 of the data, where it is known; computed when it is asked for, where it is not */
  constructor({ parent, data, metadata, deletedAt, writer }: Parts, hash?: Uint8Array) {
    this.parent = parent;
    this.data = data;
    this.metadata = metadata;
    this.deletedAt = deletedAt;
    this.writer = writer;
    this.#ownHash = hash;
  }

  /** SHA-256 of the data, 32 bytes, of a deleted entity that of the data it had; undefined where nothing says it. */
  get ownHash(): Uint8Array | undefined {
    if (this.#ownHash === undefined && this.data !== undefined) this.#ownHash = ownHash(this.data);
    return this.#ownHash;
  }

  /** The same entity with other metadata, or as it was before its deletion. */
  with(changes: Partial<Pick<Parts, "metadata" | "deletedAt">>): ReplayedEntity {
    return new ReplayedEntity({ ...this.#parts(), ...changes }, this.#ownHash);
  }

  /** The same entity, deleted. */
  deleted(deletedAt: bigint, metadata: EntityMetadata, writer: number): ReplayedEntity {
    const parts = { ...this.#parts(), data: undefined, deletedAt, metadata, writer };
    return new ReplayedEntity(parts, this.ownHash);
  }

  /** The same entity, whose data nothing says. */
  unknown(): ReplayedEntity {
    return new ReplayedEntity({ ...this.#parts(), data: undefined });
  }

  #parts(): Parts {
    const { parent, data, metadata, deletedAt, writer } = this;
    return { parent, data, metadata, deletedAt, writer };
  }
}
