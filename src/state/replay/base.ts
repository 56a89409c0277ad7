/**
 * Nodes that joined by a snapshot, or that dropped their oldest deltas, have a state before their first delta. It is
 * the present rows without the entities that known deltas made, and with the entities that they deleted. Tombstones
 * that nodes dropped after a day are not in it.
 *
 * @upstream node/src/delta_store.rs:3464-3540; node/primitives/src/dag_compaction.rs:20-28; node/src/gc.rs
 * (GarbageCollector)
 */
import { isZeros } from "../../bytes/bytes.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { sha256 } from "../../crypto/index.js";
import { applicationStateId } from "../../digests/index.js";
import { invalidArgument } from "../../errors.js";
import { Pause } from "../../pause.js";
import type { EntityRows } from "../entity-rows.js";
import type { EntityMetadata, IndexRow } from "../index-row.js";
import { compared, type ReplayPosition, unknownState } from "./certainty.js";
import { ReplayedEntity } from "./entity.js";
import type { EntityTree } from "./entity-tree.js";
import type { DeltaGraph } from "./graph.js";
import { KnownWrites, type Touch } from "./known-writes.js";
import type { ReplayedDelta } from "./packed-deltas.js";

/** The number of entities whose data is read at a time. */
const BATCH = 256;

/** The base of a replay. */
export interface Base {
  /** The entities with unknown data, 64 hex digits each: known deltas overwrote or deleted them. */
  readonly unknown: ReadonlySet<string>;
  /** The root hash, 32 bytes; undefined if it depends on unknown data. */
  readonly rootHash: Uint8Array | undefined;
}

/**
 * Puts the entities of the base into an empty tree.
 *
 * @param checkpoints the root hashes of checkpoints by their ids: the base has one of them
 */
export async function readBase(
  rows: EntityRows,
  deltas: readonly ReplayedDelta[],
  tree: EntityTree,
  checkpoints: ReadonlyMap<string, Uint8Array>,
): Promise<Base> {
  const writes = await KnownWrites.of(deltas);
  const { touches, logged } = writes;
  const rotated = new Set<string>();
  const unknown = new Set<string>();
  /** Entities that are assumed to have had the data that deltas write, because all deltas write the same data. */
  const assumed: string[] = [];
  const pause = new Pause();
  for await (const chunk of rows.all()) {
    await pause.ifLong();
    const kept = chunk.filter((row) => {
      const id = toHex(row.id);
      const touch = touches.get(id);
      if (!logged.has(id)) return isOlder(row, touch) || hasLaterWrite(row, touch);
      if (row.parentId !== null) rotated.add(toHex(row.parentId));
      return false;
    });
    for (const some of slices(kept, BATCH)) {
      const ids = some.map(({ id }) => id);
      const found = await rows.stored(ids);
      for (const [at, row] of some.entries()) {
        const id = toHex(row.id);
        for (const child of row.deletedChildren)
          if (touches.get(toHex(child))?.deletedFrom === undefined)
            tree.rememberDeleted(tree.numberOf(row.id), tree.numberOf(child));
        const known = touches.get(id);
        const touch = hasLaterWrite(row, known) ? undefined : known;
        const data = found[at];
        const isSame =
          touch?.data instanceof Uint8Array && data !== undefined && equalBytes(touch.data, data);
        // Entities that a known deletion took along lived before it.
        const isTakenAlong =
          row.deletedAt !== null && touch === undefined && writes.hasDeletionAt(row.deletedAt);
        if (isTakenAlong || touch?.data === undefined) {
          const isBack = isTakenAlong || (row.deletedAt !== null && touch?.deletedFrom !== undefined);
          // Since core-1.0, the row of a deleted entity does not keep the hash of its data.
          const isForgotten = isBack && isZeros(row.ownHash);
          const old = isTakenAlong ? { ...row, deletedAt: null } : row;
          putOld(tree, old, touch, isForgotten ? undefined : row.ownHash, data);
          if (isForgotten) unknown.add(id);
        } else if (isSame) {
          putOld(tree, row, touch, row.ownHash, data);
          // The data of a collection is its id, always.
          if (!equalBytes(data, row.id)) assumed.push(id);
        } else {
          putOld(tree, row, touch, undefined, undefined);
          unknown.add(id);
        }
      }
    }
  }
  for (const log of rotated) withoutRotations(tree, tree.numberOf(fromHex(log)));
  const root = tree.numberOf(rows.contextId);
  await tree.computeHash(root, pause);
  const found = tree.hash(root);
  const isConfirmed =
    found !== undefined && [...checkpoints.values()].some((hash) => equalBytes(hash, found));
  for (const id of isConfirmed ? [] : assumed) {
    unknown.add(id);
    const number = tree.numberOf(fromHex(id));
    tree.put(number, (tree.get(number) as ReplayedEntity).unknown());
  }
  return { unknown, rootHash: tree.hash(root) };
}

function putOld(
  tree: EntityTree,
  { id: bytes, parentId, metadata, deletedAt }: IndexRow,
  touch: Touch | undefined,
  ownHash: Uint8Array | undefined,
  data: Uint8Array | undefined,
): void {
  const id = tree.numberOf(bytes);
  const parent = parentId === null ? undefined : tree.numberOf(parentId);
  const isDeleted = deletedAt !== null && touch?.deletedFrom === undefined;
  const updatedAt = touch === undefined ? metadata.updatedAt : (touch.deletedFrom ?? metadata.createdAt);
  const isOfData = data !== undefined && ownHash !== undefined && equalBytes(sha256(data), ownHash);
  tree.put(
    id,
    new ReplayedEntity({
      parent,
      data: data && tree.kept(data),
      metadata: { ...metadata, updatedAt },
      deletedAt: isDeleted ? deletedAt : undefined,
      writer: undefined,
      hash: isOfData ? undefined : ownHash && tree.kept(ownHash),
    }),
  );
  if (parent !== undefined && !isDeleted) tree.addChild(parent, id, metadata.createdAt);
}

/**
 * Replaces the writers of a shared entity by none, because known deltas changed the writers. Any other writers would
 * do.
 */
function withoutRotations(tree: EntityTree, log: number): void {
  const anchor = tree.get(log)?.parent;
  const entity = anchor === undefined ? undefined : tree.get(anchor);
  if (anchor === undefined || entity === undefined) return;
  if (tree.children(log).length === 0) {
    tree.dropChild(anchor, log);
    tree.remove(log);
  }
  tree.put(anchor, entity.with({ metadata: withoutWriters(entity.metadata) }));
}

function withoutWriters<M extends EntityMetadata>(metadata: M): M {
  const storageType = { ...metadata.storageType, writers: new Map<string, number>() };
  return { ...metadata, storageType };
}

/** Returns true if an entity was there before the known deltas: none of them gave it its time of creation. */
function isOlder({ metadata: { createdAt } }: IndexRow, touch: Touch | undefined): boolean {
  return touch?.added === undefined || createdAt < touch.added.first || createdAt > touch.added.last;
}

/** Returns true if the data of an entity is later than the writes of the known deltas, so the base has it. */
function hasLaterWrite({ id, metadata, deletedAt }: IndexRow, touch: Touch | undefined): boolean {
  // The application merges its own fields, and the time of the result is that of the last delta that arrived.
  if (touch === undefined || deletedAt !== null || equalBytes(id, applicationStateId())) return false;
  return metadata.updatedAt > touch.latest;
}

/**
 * True if no checkpoint has the root hash of a base. If deltas without a checkpoint are missing, the base may include
 * their later writes: then it comes from the present rows alone.
 */
export function isUnconfirmed({
  base,
  checkpoints,
}: {
  readonly base: { readonly rootHash: Uint8Array | undefined } | undefined;
  readonly checkpoints: ReadonlyMap<string, Uint8Array>;
}): boolean {
  if (base === undefined) return false;
  const { rootHash } = base;
  return rootHash === undefined || ![...checkpoints.values()].some((hash) => equalBytes(hash, rootHash));
}

/**
 * The place of a checkpoint, with the verdict on its state: the state before the first delta, if that has its root hash.
 *
 * @param of the number of deltas
 * @throws MerostoreError `INVALID_ARGUMENT` if that is the state of another checkpoint
 */
export function checkpointPosition(
  delta: string,
  of: number,
  checkpoints: ReadonlyMap<string, Uint8Array>,
  found: Uint8Array | undefined,
): ReplayPosition {
  const agreeing = [...checkpoints].filter(([, hash]) => found !== undefined && equalBytes(hash, found));
  const isRight = agreeing.some(([id]) => id === delta);
  const [other] = agreeing;
  if (!isRight && other !== undefined)
    throw invalidArgument(
      `the present rows give the state of checkpoint ${other[0]}; the state of ${delta} is unknown`,
    );
  const certainty =
    found === undefined ? unknownState("older data") : compared(isRight, { kind: "checkpoint", delta });
  const none = { time: undefined, author: undefined, unnamed: [], leftOut: [], takenOver: [] };
  return { position: 0, of, delta, ...none, ...certainty };
}

/** The root hash of the checkpoint that stands for the state before the first delta. */
export function checkpointOf(
  graph: DeltaGraph,
  checkpoints: ReadonlyMap<string, Uint8Array>,
  found: Uint8Array | undefined,
): Uint8Array | undefined {
  const all = [...checkpoints.values()];
  const agreeing = found && all.find((hash) => equalBytes(hash, found));
  if (agreeing !== undefined || all.length < 2) return agreeing ?? all[0];
  for (const [number, delta] of graph.deltas.entries())
    for (const parent of graph.lacksParents(number) ? delta.parents : []) {
      const followed = checkpoints.get(parent);
      if (followed !== undefined) return followed;
    }
  return all[0];
}
