/**
 * A signed change of the writers of a shared entity is logged: after the delta, a node adds an entry to a map below the
 * entity. The first delta and nodes of core-1.0 log no change.
 *
 * @upstream storage/src/interface.rs:400-570, 2628-2716; context/src/handlers/execute/mod.rs:2290-2330
 */

import { concat } from "../../bytes/concat.js";
import { fromHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { actionDigest, mapEntryId, rotationLogId } from "../../digests/index.js";
import { type Action011, type AnyAction, RotationLogEntry, Writers011 } from "../../payloads/index.js";
import type { EntityMetadata } from "../index-row.js";
import { ReplayedEntity } from "./entity.js";
import type { EntityTree } from "./entity-tree.js";
import type { ReplayedDelta } from "./packed-deltas.js";

/** A change of writers that a delta makes. */
export interface Rotation {
  /** The id of the shared entity, 32 bytes. */
  readonly anchor: Uint8Array;
  /** The log's entry, without the ids around it. */
  readonly entry: Uint8Array;
}

/**
 * The change of writers that an action makes; undefined if it makes none, is not signed, or belongs to the first delta.
 */
export function rotationOf(
  action: AnyAction,
  stored: ReplayedEntity | undefined,
  delta: ReplayedDelta,
): Rotation | undefined {
  if (action.kind === "Compare" || action.kind === "DeleteRef" || delta.isFirst) return undefined;
  const { storageType } = action.metadata;
  if (storageType.kind !== "Shared" || storageType.signatureData === null) return undefined;
  const { signer, signature, nonce } = storageType.signatureData;
  if (signer === null) return undefined;
  const before = stored?.metadata.storageType;
  const writers = Writers011.encode(storageType.writers);
  if (before?.kind === "Shared" && equalBytes(Writers011.encode(before.writers), writers)) return undefined;
  const entry = RotationLogEntry.encode({
    deltaId: fromHex(delta.id),
    deltaHlc: delta.clock,
    signer,
    signature,
    signedPayload: actionDigest(action as Action011),
    newWriters: storageType.writers,
    writersNonce: nonce,
  });
  return { anchor: action.id, entry };
}

const PLAIN = {
  createdAt: 0n,
  updatedAt: 0n,
  storageType: { kind: "Public" },
  crdtType: null,
  fieldName: null,
  schemaVersion: null,
} as EntityMetadata;

/** Adds the changes of writers to their logs. */
export function logRotations(
  tree: EntityTree,
  delta: ReplayedDelta,
  rotations: readonly Rotation[],
  writer: number,
): void {
  for (const { anchor, entry } of rotations) {
    const map = rotationLogId(anchor);
    const deltaId = fromHex(delta.id);
    const id = mapEntryId(map, deltaId);
    add(tree, tree.numberOf(anchor), map, map, writer);
    add(tree, tree.numberOf(map), id, concat(deltaId, entry, id), writer);
  }
}

function add(tree: EntityTree, parent: number, id: Uint8Array, data: Uint8Array, writer: number): void {
  const number = tree.numberOf(id);
  if (tree.get(number) === undefined)
    tree.put(number, new ReplayedEntity({ parent, data, metadata: PLAIN, deletedAt: undefined, writer }));
  tree.addChild(parent, number, 0n);
}
