/** The rules by which two writes of one entity merge. */
import { compareBytes, equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import type { AnyAction } from "../../payloads/index.js";
import type { ReplayedEntity } from "./entity.js";

/** An action that writes an entity. */
export type Write = Exclude<AnyAction, { readonly kind: "DeleteRef" | "Compare" }>;

/**
 * Merges the bytes of the application's own state that two concurrent deltas wrote; undefined if only the application
 * can merge them.
 */
export type MergeRoot = (stored: Uint8Array, incoming: Uint8Array) => Uint8Array | undefined;

/** The data that a second write leaves of an entity. */
type Merge = (stored: ReplayedEntity, write: Write) => Uint8Array;

/**
 * Takes the later write; of two writes at the same time, the write whose data has the larger SHA-256.
 *
 * @upstream storage/src/interface.rs:3739-3870; storage/src/merge.rs:318-400
 */
const later: Merge = (stored, { data, metadata }) => {
  const { updatedAt } = stored.metadata;
  if (metadata.updatedAt > updatedAt || stored.data === undefined) return data;
  if (metadata.updatedAt < updatedAt) return stored.data;
  return compareBytes(sha256(data), sha256(stored.data)) >= 0 ? data : stored.data;
};

/**
 * Keeps the stored data: frozen data does not change, and the data of counters and texts is the ids of collections,
 * which both writes have. Counts and characters are entities of their own.
 *
 * @upstream storage/src/interface.rs:3739-3870; storage/src/merge.rs:318-400
 */
const first: Merge = (stored, { data }) => stored.data ?? data;

/**
 * Takes the data of the write. The data of a collection is its id, and its entries are entities of their own.
 *
 * @upstream storage/src/interface.rs:3739-3870; storage/src/merge.rs:318-400
 */
const last: Merge = (_stored, { data }) => data;

/** The merge of each kind that an action can name. Entries of collections name no kind. */
const MERGES: Readonly<Record<NonNullable<Write["metadata"]["crdtType"]>["kind"] | "none", Merge>> = {
  none: later,
  LwwRegister: later,
  RotationLog: later,
  Custom: later,
  FrozenStorage: first,
  GCounter: first,
  PnCounter: first,
  Rga: first,
  UnorderedMap: last,
  SortedMap: last,
  UnorderedSet: last,
  SortedSet: last,
  Vector: last,
  UserStorage: last,
  SharedStorage: last,
  FugueText: last,
  FugueTextBlock: last,
};

/** The data of an entity after another write of it. The kind in the action decides the merge. */
export function mergedData(stored: ReplayedEntity, write: Write): Uint8Array {
  return MERGES[write.metadata.crdtType?.kind ?? "none"](stored, write);
}

/**
 * A write of the application's own state replaces a write that it follows. Concurrent writes are merged field by field;
 * the result is undefined if only the application can merge them.
 *
 * @upstream storage/src/merge/registry.rs:225-258
 */
export function mergedRoot(
  stored: ReplayedEntity,
  { data }: Write,
  follows: boolean,
  merge: MergeRoot,
): Uint8Array | undefined {
  if (stored.data === undefined || equalBytes(stored.data, data)) return data;
  if (stored.writer === undefined || follows) return data;
  return merge(stored.data, data);
}
