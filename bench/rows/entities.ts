/** The entities of one context: collections of entries, and the application's own state. Hashes as nodes of core-0.10 compute them. */
import { entryStateKey, fullHash010, indexStateKey, ownHash } from "../../src/digests/index.js";
import { ContextState011 } from "../../src/keys/index.js";
import { type ChildInfo010, EntityIndex010, type Metadata010 } from "../../src/payloads/index.js";
import type { Filler, Put } from "./put.js";

/** One entity, with those below it in the order of their creation. */
export interface Entity {
  readonly id: Uint8Array;
  readonly parent: Entity | null;
  readonly children: Entity[];
  metadata: Metadata010;
  readonly data: Uint8Array;
  /** The hash of its data and of all below it. */
  fullHash: Uint8Array;
}

/** Creates an entity below another one, and computes the hashes of those above it. */
export function addEntity(
  parent: Entity | null,
  { id, data, metadata }: Pick<Entity, "id" | "data" | "metadata">,
): Entity {
  const entity: Entity = { id, parent, children: [], metadata, data, fullHash: id };
  parent?.children.push(entity);
  for (let above: Entity | null = entity; above !== null; above = above.parent)
    above.fullHash = fullHash010({ ownHash: ownHash(above.data), children: childrenOf(above) });
  return entity;
}

/** Those above an entity, as its delta names them: the nearest first. */
export function ancestorsOf({ parent }: Entity): ChildInfo010[] {
  return parent === null ? [] : [childInfo(parent), ...ancestorsOf(parent)];
}

function childInfo({ id, fullHash, metadata }: Entity): ChildInfo010 {
  return { id, merkleHash: fullHash, metadata };
}

/** Puts the rows of an entity and of all below it: of each an index row and an entry row. */
export function* putEntities(put: Put, contextId: Uint8Array, entity: Entity): Filler {
  for (const child of entity.children) yield* putEntities(put, contextId, child);
  const { id, parent, metadata, data, fullHash } = entity;
  const index = EntityIndex010.encode({
    id,
    parentId: parent?.id ?? null,
    children: childrenOf(entity),
    fullHash,
    ownHash: ownHash(data),
    metadata,
    deletedAt: null,
  });
  put(new ContextState011({ contextId, stateKey: indexStateKey(id) }), index);
  put(new ContextState011({ contextId, stateKey: entryStateKey(id) }), data);
  yield;
}

function childrenOf({ children }: Entity): ChildInfo010[] | null {
  return children.length === 0 ? null : children.map(childInfo);
}
