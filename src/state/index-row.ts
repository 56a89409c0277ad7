/** Index records of entities: an entity's place in the tree, in whatever layout its row has. */
import type {
  CrdtType,
  CrdtType010,
  CrdtType011,
  Metadata,
  Metadata010,
  Metadata011,
} from "../payloads/index.js";

/** The metadata that the storage library keeps for each entity, in any layout. */
export type EntityMetadata = Metadata | Metadata011 | Metadata010;

/** The rule by which concurrent changes of an entity merge, in any layout. */
export type AnyCrdtType = CrdtType | CrdtType011 | CrdtType010;

/** An index record: an entity's place in the tree. */
export interface IndexRow {
  /** The entity's id, 32 bytes. */
  readonly id: Uint8Array;
  /** The parent's id, 32 bytes; null for the root. */
  readonly parentId: Uint8Array | null;
  /** The hash of the entity's data and of all entities below it, 32 bytes. */
  readonly fullHash: Uint8Array;
  /** SHA-256 of the entity's data, 32 bytes. */
  readonly ownHash: Uint8Array;
  /** Times, owner and kind of the entity. */
  readonly metadata: EntityMetadata;
  /** The time of the deletion, in nanoseconds since 1970; null while the entity lives. */
  readonly deletedAt: bigint | null;
  /** Ids of deleted children, 32 bytes each; empty in core-0.10. */
  readonly deletedChildren: readonly Uint8Array[];
}
