/** The rows of State in a batch, decoded once for all rules. */
import { isZeros } from "../../../bytes/bytes.js";
import { concat } from "../../../bytes/concat.js";
import { equalBytes } from "../../../bytes/order.js";
import { fullHash } from "../../../digests/index.js";
import type { AnyKey, AnyKeyClass } from "../../../keys/index.js";
import { type EntityIndex, readStateRow, type StateRow } from "../../../layouts/index.js";
import type { ChildTrieRow } from "../../../payloads/index.js";
import type { GoodRow } from "../../examine.js";

/** The place of a row of State: `context_id (32) ‖ state_key (33)`. */
export interface StateKey extends AnyKey {
  readonly contextId: Uint8Array;
}

/** A row of State as it is stored. */
export type RawStateRow = GoodRow<StateKey, Uint8Array>;

/** Bytes of a context's id. */
const CONTEXT = 32;

/** The context of a row: 32 bytes, as a view. */
export function contextOf({ bytes }: StateKey): Uint8Array {
  return bytes.subarray(0, CONTEXT);
}

/** The place of another row of the same context. */
export function beside(key: StateKey, stateKey: Uint8Array): StateKey {
  const { view } = key.constructor as unknown as AnyKeyClass & { view(bytes: Uint8Array): StateKey };
  return view.call(key.constructor, concat(contextOf(key), stateKey));
}

/** Reads a row by its key. */
export function readRow(key: StateKey, value: Uint8Array): StateRow {
  return readStateRow(key.bytes.subarray(CONTEXT), value);
}

/** A row with the index record of an entity. */
export interface Entity {
  readonly key: StateKey;
  readonly index: EntityIndex;
  /** True if the row has data beside the record. */
  readonly hasData: boolean;
}

/** The entity in a row; undefined for a row that has no index record, or cannot be read. */
export function entityIn(key: StateKey, value: Uint8Array | undefined): Entity | undefined {
  const found = value && readRow(key, value);
  if (found?.kind !== "entity" || found.row.index === null) return undefined;
  return { key, index: found.row.index, hasData: found.row.data !== null };
}

/** Decodes the row of a trie; undefined for any other row. */
export function trieRowIn(key: StateKey, value: Uint8Array | undefined): ChildTrieRow | undefined {
  const found = value && readRow(key, value);
  return found?.kind === "child trie" ? found.row : undefined;
}

/** Returns true if an entity is the root of its context's state. */
export function isRoot({ key, index }: Entity): boolean {
  return equalBytes(index.id, contextOf(key));
}

/**
 * Returns true if an entity only records the deletion of an entry that is written once. Such an entity has no parent.
 */
export function isSeal(entity: Entity): boolean {
  const { index, hasData } = entity;
  return index.parentId === null && !hasData && !isRoot(entity) && isWithoutHash(entity);
}

/** Returns true if an entity has children, by its full hash. */
export function isParent({ index }: Entity): boolean {
  return index.deletedAt === null && !equalBytes(index.fullHash, fullHash(index.ownHash));
}

/** Returns true if the own hash is the hash of no data, or if the entity is deleted. */
export function isWithoutHash({ index }: Entity): boolean {
  return index.deletedAt !== null || isZeros(index.ownHash);
}
