/**
 * Rows of State since core-1.0: one for each entity, and the rows of the tries of children. State keys distinguish
 * them.
 */
import { concat } from "../bytes/concat.js";
import { equalBytes } from "../bytes/order.js";
import { DecodeError, ReadFailure } from "../codec/index.js";
import { ChildTrieRow } from "../payloads/index.js";
import { type EntityRow, entityRow, readEntityRow } from "./entity-row.js";

const ENTITY = Uint8Array.of(0);
const CHILD_TRIE = Uint8Array.of(3);
/** The highest tag that a row can have. */
const LAST_TAG = 3;

/** The state key of an entity: `00 ‖ id`. 33 bytes. */
export function entityKey(id: Uint8Array): Uint8Array {
  return concat(ENTITY, id);
}

/** The state key of a row of a trie: `03 ‖ childTrieAddress`. 33 bytes. */
export function childTrieKey(address: Uint8Array): Uint8Array {
  return concat(CHILD_TRIE, address);
}

/** A row of State. */
export type StateRow =
  | {
      /** The row of an entity. */
      readonly kind: "entity";
      /** The entity's id: 32 bytes, as a view. */
      readonly id: Uint8Array;
      /** Its index record and data. */
      readonly row: EntityRow;
    }
  | {
      /** A row of the trie of an entity's children. */
      readonly kind: "child trie";
      /** Its address: 32 bytes, as a view. */
      readonly address: Uint8Array;
      /** Its content. */
      readonly row: ChildTrieRow;
    }
  | {
      /** A row that a node does not read. */
      readonly kind: "unreadable";
      /** The reason, without a value. */
      readonly reason: string;
      /** The offset at which decoding stopped. */
      readonly offset: number;
      /** True for a tag or flag above the known ones: a later version may have written the row. */
      readonly mayBeLater: boolean;
    };

/** Reads a row of State by its state key. */
export function readStateRow(stateKey: Uint8Array, value: Uint8Array): StateRow {
  const [tag] = stateKey;
  const id = stateKey.subarray(1);
  if (tag === ENTITY[0]) {
    const row = readEntityRow(id, value);
    return row instanceof ReadFailure ? unreadable("EntityRow", row) : { kind: "entity", id, row };
  }
  if (tag === CHILD_TRIE[0]) {
    const row = ChildTrieRow.readWhole(value);
    return row instanceof ReadFailure
      ? unreadable(ChildTrieRow.type ?? ChildTrieRow.signature, row)
      : { kind: "child trie", address: id, row };
  }
  const mayBeLater = tag !== undefined && tag > LAST_TAG;
  return { kind: "unreadable", reason: "no state key begins with its tag", offset: 0, mayBeLater };
}

function unreadable(type: string, failure: ReadFailure): StateRow {
  const { message: reason, offset, mayBeLater } = new DecodeError(type, failure);
  return { kind: "unreadable", reason, offset, mayBeLater };
}

/** Returns true if the row of an entity has a form that nodes no longer write. */
export function isOlderForm(id: Uint8Array, row: EntityRow, value: Uint8Array): boolean {
  // The forms differ in tombstones and in signatures, and most entities have neither.
  const guarded = row.index?.metadata.storageType.kind;
  if (row.data !== null && (guarded === undefined || guarded === "Public" || guarded === "Frozen"))
    return false;
  return !equalBytes(entityRow(id).encode(row), value);
}
