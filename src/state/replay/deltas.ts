/** The deltas of a context, for a replay. */

import { toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { slices } from "../../collections/lists.js";
import { applicationStateId } from "../../digests/index.js";
import { invalidArgument } from "../../errors.js";
import { noteUnread } from "../../node/tables/actions.js";
import { firstValue, type NodeReader, rowsOf } from "../../node/tables/rows.js";
import { Pause } from "../../pause.js";
import type { AnyAction } from "../../payloads/index.js";
import { Follower, type ProgressOptions } from "../../progress.js";
import type { EntityRows } from "../entity-rows.js";
import { deltaOf } from "./delta.js";
import type { PackedDeltas, ReplayedDelta } from "./packed-deltas.js";

/** The number of entities whose index records are read at a time. */
const BATCH = 256;

/** The deltas of a context. */
export interface Deltas {
  /** The deltas whose changes the state has. */
  readonly applied: readonly ReplayedDelta[];
  /** The others. */
  readonly pending: readonly ReplayedDelta[];
  /**
   * The root hashes of checkpoints, 32 bytes each, by their ids: a state that the node took over includes these deltas
   * and all their ancestors.
   */
  readonly checkpoints: ReadonlyMap<string, Uint8Array>;
  /**
   * The ids of missing deltas: they are heads or parents of applied deltas, and neither deltas nor checkpoints have
   * them.
   */
  readonly missing: readonly string[];
  /** The root hash that the node states, 32 bytes; undefined if it has not joined the context. */
  readonly rootHash: Uint8Array | undefined;
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
  options: ProgressOptions = {},
): Promise<Deltas> {
  const { contextId } = rows;
  const { holds } = rows.layout.replay;
  /** By the numbers of their ids. */
  const found: ReplayedDelta[] = [];
  const checkpoints = new Map<string, Uint8Array>();
  const pause = new Pause(options.signal);
  const follower = new Follower(options);
  for await (const chunk of rowsOf(reader, "ContextDagDelta", { contextId })) {
    follower.add(chunk.length);
    for (const row of chunk) {
      if (pause.isLong) await pause.ifLong();
      const delta = await deltaOf(row, pause);
      const { unread } = delta;
      if (unread !== undefined) noteUnread(reader, row.key, unread);
      if (delta.actions?.some((action) => "metadata" in action && !holds(action.metadata)))
        throw invalidArgument(
          `not replayed: delta ${toHex(delta.deltaId)} has the layout of an earlier revision, of whose state no row is left`,
        );
      if (delta.checkpoint === undefined) {
        const kept = await packed.addSlowly(delta, pause);
        found[kept.number] = kept;
      } else checkpoints.set(toHex(delta.deltaId), delta.checkpoint);
    }
  }
  follower.end();
  const meta = await firstValue(reader, "ContextMeta", { contextId });
  const open = (meta?.dagHeads ?? []).map((head) => packed.ids.add(head));
  for (const delta of found) {
    if (pause.isLong) await pause.ifLong();
    if (delta?.isApplied) for (const parent of delta.follows) open.push(parent);
  }
  const isFollowed = new Uint8Array(packed.ids.size);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (pause.isLong) await pause.ifLong();
    if (isFollowed[id] === 1) continue;
    isFollowed[id] = 1;
    for (const parent of found[id]?.follows ?? []) open.push(parent);
  }
  const applied: ReplayedDelta[] = [];
  const pending: ReplayedDelta[] = [];
  for (const [id, delta] of found.entries()) {
    if (delta === undefined) continue;
    if (pause.isLong) await pause.ifLong();
    const isApplied = delta.isApplied || isFollowed[id] === 1 || (await isInState(delta, rows));
    (isApplied ? applied : pending).push(delta);
  }
  const missing: string[] = [];
  for (const [id, mark] of isFollowed.entries()) {
    if (pause.isLong) await pause.ifLong();
    if (mark === 0 || found[id] !== undefined) continue;
    const name = toHex(packed.ids.at(id));
    if (!checkpoints.has(name)) missing.push(name);
  }
  return { applied, pending, checkpoints, missing, rootHash: meta?.rootHash };
}

function isRoot(id: Uint8Array, contextId: Uint8Array): boolean {
  return equalBytes(id, contextId) || equalBytes(id, applicationStateId());
}

/** Returns true if the state has each entity that a delta writes, as of the delta or later. */
export async function isInState(
  { actions }: { readonly actions: Iterable<AnyAction> | undefined },
  rows: EntityRows,
): Promise<boolean> {
  const timeOf = (action: Change): bigint =>
    action.kind === "DeleteRef" ? action.deletedAt : action.metadata.updatedAt;
  let hasOwn = false;
  for (const some of slices(actions ?? [], BATCH)) {
    const changes = some.filter((action): action is Change => action.kind !== "Compare");
    const found = await rows.indexes(changes.map(({ id }) => id));
    for (const [at, change] of changes.entries()) {
      const time = found[at]?.metadata.updatedAt ?? -1n;
      if (time < timeOf(change)) return false;
      // The application's own state has the time of the last delta.
      hasOwn ||= time === timeOf(change) && !isRoot(change.id, rows.contextId);
    }
  }
  return hasOwn;
}

/** An action that changes an entity. */
type Change = Exclude<AnyAction, { readonly kind: "Compare" }>;
