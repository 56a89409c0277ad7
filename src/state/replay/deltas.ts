/** The deltas of a context, for a replay. */
import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { applicationStateId } from "../../digests/index.js";
import { firstValue, type NodeReader, rowsOf } from "../../node/tables/rows.js";
import { Pause } from "../../pause.js";
import type { EntityRows } from "../entity-rows.js";
import { deltaOf, type ReplayedDelta } from "./delta.js";
import type { PackedDeltas } from "./packed-deltas.js";

/** The deltas of a context. */
export interface Deltas {
  /** Those whose changes the state has. */
  readonly applied: readonly ReplayedDelta[];
  /** The others. */
  readonly pending: readonly ReplayedDelta[];
  /** The root hash of a checkpoint, 32 bytes; undefined without one. */
  readonly checkpoint: Uint8Array | undefined;
  /** The ids of checkpoints: the state that the node took over has these deltas and all that they follow. */
  readonly checkpointIds: readonly string[];
}

/**
 * Reads the deltas of a context. A delta that is marked as pending counts as applied if the heads follow it, or the state has
 * its changes: nodes take over states without marking the deltas that are in them.
 *
 * @param rows the entities of the context
 * @param packed keeps the deltas
 */
export async function readDeltas(
  reader: NodeReader,
  rows: EntityRows,
  packed: PackedDeltas,
): Promise<Deltas> {
  const { contextId } = rows;
  const found = new Map<string, ReplayedDelta>();
  let checkpoint: Uint8Array | undefined;
  const checkpointIds: string[] = [];
  const pause = new Pause();
  for await (const chunk of rowsOf(reader, "ContextDagDelta", { contextId })) {
    await pause.ifLong();
    for (const row of chunk) {
      const delta = deltaOf(row);
      if (delta.checkpoint === undefined) found.set(delta.id, packed.add(delta));
      else {
        checkpoint = delta.checkpoint;
        checkpointIds.push(delta.id);
      }
    }
  }
  const meta = await firstValue(reader, "ContextMeta", { contextId });
  const followed = new Set<string>();
  const open = (meta?.dagHeads ?? []).map(toHex);
  for (const { isApplied, parents } of found.values()) if (isApplied) open.push(...parents);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (followed.has(id)) continue;
    followed.add(id);
    open.push(...(found.get(id)?.parents ?? []));
  }
  const applied: ReplayedDelta[] = [];
  const pending: ReplayedDelta[] = [];
  for (const delta of found.values()) {
    await pause.ifLong();
    const isApplied = delta.isApplied || followed.has(delta.id) || (await isInState(delta, rows));
    (isApplied ? applied : pending).push(delta);
  }
  return { applied, pending, checkpoint, checkpointIds };
}

function isRoot(id: Uint8Array, contextId: Uint8Array): boolean {
  return equalBytes(id, contextId) || equalBytes(id, applicationStateId());
}

/** Returns true if the state has each entity that a delta writes, as of the delta or later. */
export async function isInState({ actions }: ReplayedDelta, rows: EntityRows): Promise<boolean> {
  if (actions === undefined || actions.length === 0) return false;
  const writes = actions.flatMap((action) => (action.kind === "Compare" ? [] : action));
  const found = await rows.indexes(writes.map(({ id }) => id));
  const timeOf = (action: (typeof writes)[number]): bigint =>
    action.kind === "DeleteRef" ? action.deletedAt : action.metadata.updatedAt;
  const isThere = writes.every((action, at) => (found[at]?.metadata.updatedAt ?? -1n) >= timeOf(action));
  // The application's own state has the time of whichever delta came last.
  const isOwn = (action: (typeof writes)[number], at: number): boolean =>
    found[at]?.metadata.updatedAt === timeOf(action) && !isRoot(action.id, rows.contextId);
  return isThere && writes.some(isOwn);
}
