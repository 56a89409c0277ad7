/** Index rows of the state: the Merkle tree of a context's entities. */
import { b32, type Decoded, option, struct, u64, vec } from "../codec/index.js";
import { ChildInfo, ChildInfo011, Metadata, Metadata011 } from "./metadata.js";

/** An entity: its place in the tree, hashes and children (sorted by creation and id). From 118 bytes. */
export const EntityIndex = struct("EntityIndex", {
  id: b32,
  parentId: option(b32),
  children: option(vec(ChildInfo)),
  fullHash: b32,
  ownHash: b32,
  metadata: Metadata,
  deletedAt: option(u64),
});
export type EntityIndex = Decoded<typeof EntityIndex>;

/** The same in core-0.11, with the ids of deleted children. From 123 bytes. */
export const EntityIndex011 = struct("EntityIndex", {
  id: b32,
  parentId: option(b32),
  children: option(vec(ChildInfo011)),
  fullHash: b32,
  ownHash: b32,
  metadata: Metadata011,
  deletedAt: option(u64),
  deletedChildren: vec(b32),
});
export type EntityIndex011 = Decoded<typeof EntityIndex011>;
