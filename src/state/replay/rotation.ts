/**
 * The log of changes of the writers of a shared entity: a node adds it to the state itself, after the delta
 * (`interface.rs:400-570, 2628-2716`, `execute/mod.rs:2290-2330`).
 */

import { concat } from "../../bytes/concat.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { equalBytes } from "../../bytes/order.js";
import { actionDigest, mapEntryId, ownHash, rotationLogId } from "../../digests/index.js";
import { type Action011, type AnyAction, RotationLogEntry, Writers011 } from "../../payloads/index.js";
import type { EntityMetadata } from "../index-row.js";
import type { ReplayedDelta } from "./delta.js";
import type { ReplayedEntity, ReplayedTree } from "./tree.js";

/** A change of writers that a delta makes. */
export interface Rotation {
  /** The shared entity, 64 hex digits. */
  readonly anchor: string;
  /** The log's entry, without the ids around it. */
  readonly entry: Uint8Array;
}

/** The change of writers that an action makes; undefined where it makes none, is not signed, or belongs to the first delta. */
export function rotationOf(
  action: AnyAction,
  stored: ReplayedEntity | undefined,
  delta: ReplayedDelta,
): Rotation | undefined {
  if (action.kind === "Compare" || action.kind === "DeleteRef" || delta.parents.length === 0)
    return undefined;
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
  return { anchor: toHex(action.id), entry };
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
  tree: ReplayedTree,
  delta: ReplayedDelta,
  rotations: readonly Rotation[],
  writer: number,
): void {
  for (const { anchor, entry } of rotations) {
    const map = rotationLogId(fromHex(anchor));
    const id = mapEntryId(map, fromHex(delta.id));
    add(tree, anchor, map, map, writer);
    add(tree, toHex(map), id, concat(fromHex(delta.id), entry, id), writer);
  }
}

function add(tree: ReplayedTree, parent: string, id: Uint8Array, data: Uint8Array, writer: number): void {
  const name = toHex(id);
  if (tree.get(name) === undefined)
    tree.put(name, { parent, data, ownHash: ownHash(data), metadata: PLAIN, deletedAt: undefined, writer });
  tree.addChild(parent, name, 0n);
}
