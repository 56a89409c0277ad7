/** Index rows of the state: the Merkle tree of a context's entities. */
import { b32, type Decoded, nanoseconds, option, struct, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo010, Metadata010, Metadata011 } from "./metadata.js";

/** An entity: its place in the tree, hashes, children and the ids of deleted children. From 123 bytes. */
export const EntityIndex011 = struct("EntityIndex", {
  /** The entity's id, 32 bytes. The root has the context's id. */
  id: b32,
  /** The parent's id, 32 bytes; null for the root. */
  parentId: option(b32),
  /** The children, sorted by `createdAt` and id; null or empty without children. */
  children: option(vec(ChildInfo)),
  /** SHA-256 of `ownHash` and the full hashes of the children in the order of their ids, 32 bytes. */
  fullHash: b32,
  /** SHA-256 of the entry row, 32 bytes. */
  ownHash: b32,
  /** Times, owner and kind of the entity. */
  metadata: Metadata011,
  /** When the entity was deleted, in nanoseconds since 1970; null while it lives. */
  deletedAt: option(nanoseconds(u64)),
  /** Ids of deleted children, 32 bytes each. */
  deletedChildren: vec(b32),
});
export type EntityIndex011 = Decoded<typeof EntityIndex011>;

/** An entity in core-0.10: its place in the tree, hashes and children. From 118 bytes. */
export const EntityIndex010 = struct("EntityIndex", {
  /** The entity's id, 32 bytes. The root has the context's id. */
  id: b32,
  /** The parent's id, 32 bytes; null for the root. */
  parentId: option(b32),
  /** The children, sorted by `createdAt` and id; null or empty without children. */
  children: option(vec(ChildInfo010)),
  /** SHA-256 of `ownHash` and the full hashes of the children in their order here, 32 bytes. */
  fullHash: b32,
  /** SHA-256 of the entry row, 32 bytes. */
  ownHash: b32,
  /** Times, owner and kind of the entity. */
  metadata: Metadata010,
  /** When the entity was deleted, in nanoseconds since 1970; null while it lives. */
  deletedAt: option(nanoseconds(u64)),
});
export type EntityIndex010 = Decoded<typeof EntityIndex010>;
