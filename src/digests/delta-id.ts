/**
 * The id of a causal delta, a SHA-256 over its concatenated parents and actions (schema 4.2). The timestamp is not
 * covered, nor are created_at, crdt_type, field_name and schema_version. Checkpoint rows have arbitrary ids.
 */
import { concatAll } from "../bytes/concat.js";
import { equalBytes } from "../bytes/order.js";
import { u32, u64, vec } from "../codec/index.js";
import { sha256, sha256All, startSha256 } from "../crypto/index.js";
import type { Action010, Action011 } from "../payloads/action.js";
import type { ActionList } from "../payloads/action-list.js";
import { ChildInfo } from "../payloads/metadata.js";
import type { StorageType } from "../payloads/storage-type.js";
import { atOnce, type Steps } from "../steps.js";
import { domainDigest, utf8 } from "./domain-digest.js";
import { unsignedStorageType, unsignedStorageType010, unsignedStorageType011 } from "./unsigned.js";

const ancestors = vec(ChildInfo);
const ADD = utf8("add");
const UPDATE = utf8("update");
const DELETE = utf8("delete");

/**
 * core-0.10. SHA-256 of the parents in stored order, and for each action: Add, Update `id ‖ data ‖ S`,
 * DeleteRef `id ‖ S`, Compare `id`, where S is the storage type with zeros in place of its signature. 32 bytes.
 */
export function deltaId010(parents: readonly Uint8Array[], actions: readonly Action010[]): Uint8Array {
  return atOnce(hashing010(parents, actions));
}

/** @internal {@link deltaId010} in steps. */
export function hashing010(parents: readonly Uint8Array[], actions: readonly Action010[]): Steps<Uint8Array> {
  return hashing(parents, actions, parts010);
}

function parts010(action: Action010): readonly Uint8Array[] {
  if (action.kind === "Compare") return [action.id];
  const storage = unsignedStorageType010(action.metadata.storageType);
  return action.kind === "DeleteRef" ? [action.id, storage] : [action.id, action.data, storage];
}

/**
 * core-0.11 (since 0.11.0-rc.25; the candidates before it follow the older rule). SHA-256 of the parents in stored
 * order, and for each action: Add `"add" ‖ id ‖ data ‖ borsh(ancestors) ‖ updated_at u64 ‖ S`, Update the same with
 * `"update"`, DeleteRef `"delete" ‖ id ‖ deleted_at u64 ‖ S`, where S is the storage type with zeros in place
 * of its signature. 32 bytes.
 */
export function deltaId011(parents: readonly Uint8Array[], actions: readonly Action011[]): Uint8Array {
  return atOnce(hashing011(parents, actions));
}

/** @internal {@link deltaId011} in steps. */
export function hashing011(parents: readonly Uint8Array[], actions: readonly Action011[]): Steps<Uint8Array> {
  return hashing(parents, actions, parts);
}

function parts(action: Action011): readonly Uint8Array[] {
  const { id, metadata } = action;
  const storage = unsignedStorageType011(metadata.storageType);
  if (action.kind === "DeleteRef") return [DELETE, id, u64.encode(action.deletedAt), storage];
  return [
    action.kind === "Add" ? ADD : UPDATE,
    id,
    action.data,
    ancestors.encode(action.ancestors),
    u64.encode(metadata.updatedAt),
    storage,
  ];
}

/** The parts of an action that the id of its delta covers, since core-1.0. */
export type CoveredAction =
  | {
      /** The entity is new, or has new data. */
      readonly kind: "Add" | "Update";
      /** The entity's id, 32 bytes. */
      readonly id: Uint8Array;
      /** The entity's data. */
      readonly data: Uint8Array;
      /** The ids of the entities above it, from the parent upwards, 32 bytes each. */
      readonly ancestors: readonly Uint8Array[];
      /** The covered part of the metadata. */
      readonly metadata: {
        /** When the entity was changed, in nanoseconds since 1970. */
        readonly updatedAt: bigint;
        /** The accounts that may write the entity. */
        readonly storageType: StorageType;
      };
    }
  | {
      /** The entity is deleted. */
      readonly kind: "DeleteRef";
      /** The entity's id, 32 bytes. */
      readonly id: Uint8Array;
      /** When it was deleted, in nanoseconds since 1970. */
      readonly deletedAt: bigint;
      /** The covered part of the metadata. */
      readonly metadata: {
        /** The accounts that may write the entity. */
        readonly storageType: StorageType;
      };
    };

const NO_EVENTS = new Uint8Array(32);
const EVENTS = utf8("calimero.delta.events");

/**
 * The hash of the events of a delta, since core-1.0: SHA-256(`"calimero.delta.events" ‖ the bytes as stored`). 32
 * bytes.
 */
export function eventsHash(events: Uint8Array): Uint8Array {
  return sha256(EVENTS, events);
}

/**
 * core-1.0. SHA-256 of the hash of the events (zeros without events), the parents in stored order, and for each action:
 * Add `"add" ‖ id ‖ data ‖ number of ancestors u32 ‖ their ids ‖ updated_at u64 ‖ S`, Update the same with `"update"`,
 * DeleteRef `"delete" ‖ id ‖ deleted_at u64 ‖ S`, where S is the storage type with zeros in place of its signature and
 * without the account that it is for. 32 bytes.
 *
 * @param events {@link eventsHash}, 32 bytes; undefined for a delta without events
 */
export function deltaId(
  events: Uint8Array | undefined,
  parents: readonly Uint8Array[],
  actions: readonly CoveredAction[],
): Uint8Array {
  return atOnce(hashing([events ?? NO_EVENTS, ...parents], actions, coveredParts));
}

/** The input of the ids that a delta of core-1.0 may have. */
export interface DeltaOfAnyRule {
  /** The context's id, 32 bytes. */
  readonly context: Uint8Array;
  /** {@link eventsHash}, 32 bytes; undefined for a delta without events. */
  readonly events: Uint8Array | undefined;
  /** Ids of the deltas that it follows, 32 bytes each. */
  readonly parents: readonly Uint8Array[];
  /** Its actions, in any layout. */
  readonly actions: ActionList | readonly Action011[];
}

/**
 * The ids that a delta may have in a database of core-1.0, today's rule first. No delta of a real node has shown
 * whether the ancestors include the context's root, so they are taken as stored, with the root and without it. Older
 * deltas have no hash of their events in the id. 32 bytes each.
 */
export function possibleDeltaIds(delta: DeltaOfAnyRule): readonly Uint8Array[] {
  return possibleHashings(delta).map(atOnce);
}

/** @internal {@link possibleDeltaIds}, each in steps. */
export function possibleHashings({
  context,
  events,
  parents,
  actions,
}: DeltaOfAnyRule): readonly Steps<Uint8Array>[] {
  if (!("actions" in actions)) return [hashing011(parents, actions)];
  const partsOf = [
    coveredParts,
    ...[true, false].map((isNamed) => (one: CoveredAction) => coveredParts(withRoot(one, context, isNamed))),
  ];
  return [[events ?? NO_EVENTS], []].flatMap((start) =>
    partsOf.map((each) => hashing<CoveredAction>([...start, ...parents], actions.actions, each)),
  );
}

/** The most actions that are hashed at once. The parts of a hundred thousand would take hundreds of megabytes. */
const TOGETHER = 64;

function* hashing<A>(
  start: readonly Uint8Array[],
  actions: readonly A[],
  partsOf: (action: A) => readonly Uint8Array[],
): Steps<Uint8Array> {
  if (actions.length <= TOGETHER) return sha256All([...start, ...actions.flatMap(partsOf)]);
  const hash = startSha256();
  hash.update(concatAll(start));
  for (let at = 0; at < actions.length; at += TOGETHER) {
    hash.update(concatAll(actions.slice(at, at + TOGETHER).flatMap(partsOf)));
    yield;
  }
  return new Uint8Array(hash.digest());
}

/** Returns the action with the context's root as its last ancestor, or without it. */
function withRoot<A extends CoveredAction>(action: A, root: Uint8Array, isNamed: boolean): CoveredAction {
  if (action.kind === "DeleteRef") return action;
  const last = action.ancestors.at(-1);
  const hasRoot = last !== undefined && equalBytes(last, root);
  if (hasRoot === isNamed) return action;
  return { ...action, ancestors: isNamed ? [...action.ancestors, root] : action.ancestors.slice(0, -1) };
}

function coveredParts(action: CoveredAction): readonly Uint8Array[] {
  const storage = unsignedStorageType(action.metadata.storageType);
  if (action.kind === "DeleteRef") return [DELETE, action.id, u64.encode(action.deletedAt), storage];
  const { id, data, ancestors: above, metadata } = action;
  return [
    action.kind === "Add" ? ADD : UPDATE,
    id,
    data,
    u32.encode(above.length),
    ...above,
    u64.encode(metadata.updatedAt),
    storage,
  ];
}

/** The fragment in the scope `calimero-deltevh`: D(`calimero.delta.events-hash`, context, delta). */
export function eventsFragment(contextId: Uint8Array, deltaId: Uint8Array): Uint8Array {
  return domainDigest("calimero.delta.events-hash", contextId, deltaId);
}

/** The fragment in the scope `calimero-teedelt`: D(`calimero.tee-trigger.delta`, context, delta). */
export function triggerFragment(contextId: Uint8Array, deltaId: Uint8Array): Uint8Array {
  return domainDigest("calimero.tee-trigger.delta", contextId, deltaId);
}
