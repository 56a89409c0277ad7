/** Index rows of the state: the Merkle tree of a context's entities. */
import { b32, type Decoded, option, struct, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo010, Metadata, Metadata010 } from "./metadata.js";

/** An entity: its place in the tree, hashes and children (sorted by creation and id). From 118 bytes. */
export const EntityIndex010 = struct("EntityIndex", {
  id: b32,
  parentId: option(b32),
  children: option(vec(ChildInfo010)),
  fullHash: b32,
  ownHash: b32,
  metadata: Metadata010,
  deletedAt: option(u64),
});
export type EntityIndex010 = Decoded<typeof EntityIndex010>;

/** The same in core-0.11, with the ids of deleted children. From 123 bytes. */
export const EntityIndex = struct("EntityIndex", {
  id: b32,
  parentId: option(b32),
  children: option(vec(ChildInfo)),
  fullHash: b32,
  ownHash: b32,
  metadata: Metadata,
  deletedAt: option(u64),
  deletedChildren: vec(b32),
});
export type EntityIndex = Decoded<typeof EntityIndex>;
