/**
 * Nodes also take over entities from each other without deltas: they compare their trees of hashes, and hand over the
 * entities that differ and have no children. These merge as if a delta wrote them.
 *
 * @upstream node/src/sync/helpers.rs (apply_leaf_with_crdt_merge)
 */
import type { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import type { EntityTree } from "./entity-tree.js";
import type { Write } from "./merge.js";

/** An entity as one node hands it to another. */
export interface HandedEntity {
  /** The number of the entity. */
  readonly id: number;
  /** The change that it makes. It carries the full hashes of its ancestors. Missing ancestors are made from these. */
  readonly action: Write | Extract<AnyAction, { readonly kind: "DeleteRef" }>;
  /** The number of the delta that wrote or deleted it; undefined if that delta is not there. */
  readonly writer: number | undefined;
}

/** An entity that a known delta wrote. */
export interface WrittenEntity extends HandedEntity {
  readonly writer: number;
}

/** The entities of a list that a node with a state would hand over: entities without children, and deleted ones. */
export async function takeable(
  tree: EntityTree,
  root: number,
  ids: Iterable<number>,
  pause: Pause,
): Promise<readonly WrittenEntity[]> {
  await tree.computeHash(root, pause);
  const found: WrittenEntity[] = [];
  for (const id of ids) {
    if (pause.isLong) await pause.ifLong();
    const entity = tree.get(id);
    if (entity?.writer === undefined) continue;
    const { metadata, deletedAt, data, writer } = entity;
    if (deletedAt !== undefined) {
      const action = { kind: "DeleteRef", id: tree.idOf(id), deletedAt, metadata } as WrittenEntity["action"];
      found.push({ id, action, writer });
      continue;
    }
    const ancestors = ancestorsOf(tree, id);
    if (data === undefined || ancestors === undefined || !isLeaf(tree, id)) continue;
    found.push({
      id,
      action: { kind: "Add", id: tree.idOf(id), data, ancestors, metadata } as Write,
      writer,
    });
  }
  return found;
}

/** Returns whether an entity that another node hands over changes a state. */
export function isNews(tree: EntityTree, { id, action }: WrittenEntity): boolean {
  const entity = tree.get(id);
  if (action.kind === "DeleteRef") return entity !== undefined && entity.deletedAt === undefined;
  return entity === undefined || entity.metadata.updatedAt < action.metadata.updatedAt;
}

/** The most entities in a set whose parts are tried: with one, and with two entities taken or left out. */
const [MOST_ALONE, MOST_IN_PAIRS] = [200, 60];

/** The most sets of which two entities are taken or left out: a failed search would try thousands of parts. */
const MOST_PAIRED = 2;

/**
 * The likeliest parts of sets of entities that a node may have taken over: all of a set, one of it, or all but one.
 *
 * @param sets the likeliest set first
 */
export function* partsOf(
  sets: readonly (readonly WrittenEntity[])[],
): Generator<readonly WrittenEntity[], void, undefined> {
  yield* sets;
  for (const all of sets)
    if (all.length > 1 && all.length <= MOST_ALONE) for (const one of all) yield* withAndWithout(all, [one]);
}

/** The parts with two entities, and the parts without two. */
export function* pairedParts(sets: Parameters<typeof partsOf>[0]): ReturnType<typeof partsOf> {
  for (const all of sets.slice(0, MOST_PAIRED))
    if (all.length > 2 && all.length <= MOST_IN_PAIRS)
      for (const [at, one] of all.entries())
        for (const other of all.slice(at + 1)) yield* withAndWithout(all, [one, other]);
}

function* withAndWithout(
  all: readonly WrittenEntity[],
  few: readonly WrittenEntity[],
): ReturnType<typeof partsOf> {
  yield few;
  yield all.filter((one) => !few.includes(one));
}

function isLeaf(tree: EntityTree, id: number): boolean {
  for (const _ of tree.children(id)) return false;
  return true;
}

/**
 * The ancestors of an entity, with their full hashes; undefined if a hash is not known, or the entity is its own
 * ancestor.
 */
function ancestorsOf(tree: EntityTree, id: number): Write["ancestors"] | undefined {
  const ancestors: unknown[] = [];
  const seen = new Set([id]);
  for (let at = tree.get(id)?.parent; at !== undefined; at = tree.get(at)?.parent) {
    const merkleHash = tree.hash(at);
    const metadata = tree.get(at)?.metadata;
    if (merkleHash === undefined || metadata === undefined || seen.has(at)) return undefined;
    seen.add(at);
    ancestors.push({ id: tree.idOf(at), merkleHash, metadata });
  }
  return ancestors as Write["ancestors"];
}
