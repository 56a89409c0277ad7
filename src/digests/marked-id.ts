/**
 * Ids of entities with marks, since core-1.0: the id itself says that its entity is below a cell with writers, below a
 * cell of trusted machines, or owned by an account. 32 bytes each.
 */
import { concat } from "../bytes/concat.js";
import { equalBytes } from "../bytes/order.js";
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./domain-digest.js";
import { collectionId, mapEntryId } from "./state.js";

/** A mark of 8 bytes: the byte CA, then text. */
const mark = (text: string): Uint8Array => Uint8Array.of(0xca, ...utf8(text));

const TEE_ONLY = mark("tee\0nly");
const TEE_ONLY_COLLECTION = mark("tee\0col");
const CELL = mark("cel\0lid");
const CELL_ENTRY = mark("shr\0ent");
const CELL_COLLECTION = mark("shr\0col");
const OWNED = mark("owned\0\0");
const OWNED_KEYED = mark("owned\0k");
const CELL_OWNED = mark("cel\0own");
const CELL_OWNED_KEYED = mark("celkown");

const SHARED_VALUE = utf8("__calimero_shared_value__");

/** Bytes of a hash in a mark. */
const BINDING = 12;
/** Offsets of the hash: after a mark at the beginning of an id, and after the mark of an owned id. */
const AFTER_MARK = 8;
const AFTER_OWNED = 20;

const begins = (id: Uint8Array, of: Uint8Array): boolean => equalBytes(id.subarray(0, AFTER_MARK), of);
const binding = (domain: string, ...parts: readonly Uint8Array[]): Uint8Array =>
  sha256(utf8(domain), ...parts).subarray(0, BINDING);
const isTeeOnly = (id: Uint8Array): boolean => begins(id, TEE_ONLY) || begins(id, TEE_ONLY_COLLECTION);
const isBelowCell = (id: Uint8Array): boolean => begins(id, CELL_ENTRY) || begins(id, CELL_COLLECTION);

/** The id of an entity below another one: a hash, with the marks of the entity above. */
function below(parent: Uint8Array, hash: Uint8Array, isCollection: boolean): Uint8Array {
  if (isTeeOnly(parent))
    return concat(isCollection ? TEE_ONLY_COLLECTION : TEE_ONLY, hash.subarray(AFTER_MARK));
  if (isBelowCell(parent))
    return concat(
      isCollection ? CELL_COLLECTION : CELL_ENTRY,
      parent.subarray(AFTER_MARK, AFTER_OWNED),
      hash.subarray(AFTER_OWNED),
    );
  return hash;
}

/** The id of an entry of a collection: {@link mapEntryId}, with the marks of the collection. */
export function markedEntryId(collection: Uint8Array, key: Uint8Array): Uint8Array {
  return below(collection, mapEntryId(collection, key), false);
}

/** The id of a collection below another entity: {@link collectionId}, with the marks of that entity. */
export function markedCollectionId(name: string, parentId?: Uint8Array): Uint8Array {
  const hash = collectionId(name, parentId);
  return parentId === undefined ? hash : below(parentId, hash, true);
}

/** The id of a field that only trusted machines write. */
export function teeOnlyId(field: string): Uint8Array {
  return concat(TEE_ONLY, sha256(utf8("__calimero_tee_only__"), utf8(field)).subarray(AFTER_MARK));
}

/**
 * The id of a cell: the entity that lists the writers of a value.
 *
 * @param fieldId the id that a collection in its place would have, or 32 random bytes
 * @param writers Borsh of the first writers, a map of accounts to masks
 */
export function cellId(fieldId: Uint8Array, writers: Uint8Array): Uint8Array {
  const start = concat(CELL, binding("__calimero_cell_field__", fieldId));
  return concat(start, binding("__calimero_cell_writers__", start, writers));
}

/** The id of the value of a cell. */
export function cellValueId(cell: Uint8Array): Uint8Array {
  if (isTeeOnly(cell)) return markedEntryId(cell, SHARED_VALUE);
  const bound = binding("__calimero_cell_anchor__", cell);
  return concat(CELL_ENTRY, bound, binding("__calimero_cell_value__", bound));
}

/**
 * Returns true for the id of an owned entry that also binds the entry's key: its data ends with the length of the key.
 */
export function isKeyedOwnedId(id: Uint8Array): boolean {
  const tag = id.subarray(BINDING, AFTER_OWNED);
  return equalBytes(tag, OWNED_KEYED) || equalBytes(tag, CELL_OWNED_KEYED);
}

/**
 * The id of an account's entry.
 *
 * @param slot the id that the entry would have without an owner
 * @param owner the account, 32 bytes
 * @param isKeyed whether the collection has keys: a map or user storage
 */
export function ownedEntryId(slot: Uint8Array, owner: Uint8Array, isKeyed: boolean): Uint8Array {
  const [start, tag] = ownedStart(slot, isKeyed);
  const hash = isBelowCell(slot)
    ? binding("__calimero_cell_owned_entry__", slot.subarray(AFTER_MARK, AFTER_OWNED), owner)
    : binding("__calimero_owned_entry__", start, owner);
  return concat(start, tag, hash);
}

/** The first 12 bytes of the ids of all entries in a slot, and the mark after them. */
function ownedStart(slot: Uint8Array, isKeyed: boolean): readonly [start: Uint8Array, tag: Uint8Array] {
  return isBelowCell(slot)
    ? [slot.subarray(AFTER_OWNED), isKeyed ? CELL_OWNED_KEYED : CELL_OWNED]
    : [slot.subarray(0, BINDING), isKeyed ? OWNED_KEYED : OWNED];
}

/**
 * Returns true for the id of an account's entry in a slot.
 *
 * @param slot the id that the entry would have without an owner
 */
export function isOwnedInSlot(id: Uint8Array, slot: Uint8Array): boolean {
  const [start, tag] = ownedStart(slot, isKeyedOwnedId(id));
  return equalBytes(id.subarray(0, BINDING), start) && equalBytes(id.subarray(BINDING, AFTER_OWNED), tag);
}

/**
 * The id of the row that remembers the deletion of an entry that is written once, kept before the entry was seen.
 *
 * @param moderators the id of the cell whose writers may delete it; undefined for none
 */
export function writtenOnceSealId(
  id: Uint8Array,
  isImmutable: boolean,
  moderators: Uint8Array | undefined,
): Uint8Array {
  const rules = moderators === undefined ? [Uint8Array.of(0)] : [Uint8Array.of(1), moderators];
  return sha256(utf8("calimero.storage.written-once-seal"), id, Uint8Array.of(isImmutable ? 1 : 0), ...rules);
}

/** The id under which a node counts the entries of a collection that it admits. */
export function admittedCountId(collection: Uint8Array): Uint8Array {
  return sha256(utf8("calimero:admitted-count:v1"), collection);
}
