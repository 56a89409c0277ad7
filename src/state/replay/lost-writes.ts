/**
 * The writes of deltas whose rows were lost, in a history that has the context's first delta: entities in the rows that
 * the replay of the known deltas does not give. They are applied together with the deltas that follow the lost ones.
 */

import { toHex } from "../../bytes/hex.js";
import { compareBigints, equalBytes } from "../../bytes/order.js";
import { firstNotBefore } from "../../bytes/search.js";
import { append, slices } from "../../collections/lists.js";
import { sorted } from "../../collections/sort.js";
import { rotationLogId } from "../../digests/index.js";
import { Pause } from "../../pause.js";
import type { EntityRows } from "../entity-rows.js";
import type { IndexRow } from "../index-row.js";
import type { EntityTree } from "./entity-tree.js";
import type { DeltaGraph } from "./graph.js";
import { KnownWrites } from "./known-writes.js";
import { madeAt } from "./moment.js";
import type { HandedEntity } from "./taken-over.js";

/** The number of entities whose data is read at a time. */
const BATCH = 256;

const NS_IN_MS = 1_000_000n;

/** Entities by the numbers of the deltas that bring them, in the order of their creation. */
export type LostWrites = ReadonlyMap<number, readonly HandedEntity[]>;

/**
 * Finds the writes of lost deltas. Each entity is assigned to the first delta after its time that follows a lost delta.
 */
export async function lostWrites(rows: EntityRows, graph: DeltaGraph, tree: EntityTree): Promise<LostWrites> {
  const pause = new Pause();
  const following: { readonly number: number; readonly time: number }[] = [];
  for (const number of graph.deltas.keys()) {
    if (pause.isLong) await pause.ifLong();
    if (graph.lacksParents(number)) following.push({ number, time: madeAt(graph, number) });
  }
  const inTime = await sorted(following, (a, b) => a.time - b.time);
  const nextAfter = (time: number): number | undefined =>
    inTime[firstNotBefore(inTime.length, (at) => (inTime[at]?.time ?? 0) < time)]?.number;
  const writes = await KnownWrites.of(graph.deltas);
  const found = new Map<number, HandedEntity[]>();
  for await (const chunk of rows.all()) {
    await pause.ifLong();
    const news = chunk.flatMap((row) => {
      const made = Number(timeOf(row) / NS_IN_MS);
      const by = isKnown(row, writes) ? undefined : nextAfter(made);
      return by === undefined ? [] : { row, by };
    });
    for (const some of slices(news, BATCH)) {
      await pause.ifLong();
      const ids = some.map(({ row }) => row.id);
      const data = await rows.data({ row: undefined }, ids);
      for (const [at, { row, by }] of some.entries()) {
        const entity = handed(row, data[at] instanceof Uint8Array ? data[at] : undefined, tree);
        if (entity !== undefined) append(found, by, entity);
      }
    }
  }
  const inOrder = new Map<number, readonly HandedEntity[]>();
  for (const [number, list] of found)
    inOrder.set(number, await sorted(list, (a, b) => compareBigints(createdAt(a), createdAt(b))));
  return inOrder;
}

/** The entity as another node would hand it over; undefined for a living one without data. */
function handed(row: IndexRow, data: Uint8Array | undefined, tree: EntityTree): HandedEntity | undefined {
  const { id, parentId, metadata, deletedAt } = row;
  const writer = undefined;
  const number = tree.numberOf(id);
  if (deletedAt !== null) {
    const action = { kind: "DeleteRef", id: tree.idOf(number), deletedAt, metadata };
    return { id: number, action: action as HandedEntity["action"], writer };
  }
  if (data === undefined) return undefined;
  const ancestors = parentId === null ? [] : [tree.idOf(tree.numberOf(parentId))];
  const action = { kind: "Add", id: tree.idOf(number), data: tree.kept(data), ancestors, metadata };
  return { id: number, action: action as HandedEntity["action"], writer };
}

/** Returns true if known deltas give an entity as it is, or nodes write it themselves. */
function isKnown(row: IndexRow, writes: KnownWrites): boolean {
  const { id, parentId, deletedAt } = row;
  const name = toHex(id);
  if (writes.logged.has(name) || (parentId !== null && isLog(id, parentId))) return true;
  // Entities below one that a known delta deleted.
  if (deletedAt !== null && writes.hasDeletionAt(deletedAt)) return true;
  const latest = writes.touches.get(name)?.latest;
  return latest !== undefined && timeOf(row) <= latest;
}

/** Returns true if an entity is the log of the writers of its parent. */
function isLog(id: Uint8Array, parentId: Uint8Array): boolean {
  return equalBytes(rotationLogId(parentId), id);
}

function timeOf({ deletedAt, metadata }: IndexRow): bigint {
  return deletedAt ?? metadata.updatedAt;
}

function createdAt({ action }: HandedEntity): bigint {
  return action.metadata.createdAt;
}
