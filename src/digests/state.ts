/**
 * The state's tree: ids of entities (schema 3.14), keys of their rows before core-1.0 (2.1), and hashes (5.5). 32 bytes
 * each. The root's id is the context's. `own_hash` is the SHA-256 of an entity's data; `full_hash` covers the children
 * too. No children and an empty list of children have the same hash. Deleted children are not covered.
 */
import { compareBytes } from "../bytes/order.js";
import { sha256, sha256All } from "../crypto/index.js";
import type { EntityIndex010, EntityIndex011 } from "../payloads/state.js";
import { utf8 } from "./domain-digest.js";

const COLLECTION = utf8("__calimero_collection__");
const ENTRY = utf8("__calimero_entry__");
const ROTATION_LOG = utf8("__calimero_rotation_log__");

/** The id of the entity that holds the application's own state, in every context: 0x76 thirty-two times. A copy. */
export function applicationStateId(): Uint8Array {
  return new Uint8Array(32).fill(0x76);
}

/**
 * The id of a collection: SHA-256(`parent? ‖ "__calimero_collection__" ‖ name`). Collections that are fields of the
 * application's state have no parent part, so their ids are equal in every context; their names carry a prefix by
 * kind (`__user_storage_x`).
 */
export function collectionId(name: string, parentId?: Uint8Array): Uint8Array {
  return parentId === undefined ? sha256(COLLECTION, utf8(name)) : sha256(parentId, COLLECTION, utf8(name));
}

/** The id of an entry of a map: SHA-256(`collection ‖ "__calimero_entry__" ‖ key`), the key's bytes as they are. */
export function mapEntryId(collection: Uint8Array, key: Uint8Array): Uint8Array {
  return sha256(collection, ENTRY, key);
}

/**
 * The id of the map that logs the changes of a shared entity's writers, since core-0.11: an entry of the entity itself
 * under the key `__calimero_rotation_log__`. Its own entries have the ids of deltas for keys.
 */
export function rotationLogId(anchor: Uint8Array): Uint8Array {
  return mapEntryId(anchor, ROTATION_LOG);
}

const INDEX_TAG = Uint8Array.of(0);
const ENTRY_TAG = Uint8Array.of(1);
const SYNC_STATE_TAG = Uint8Array.of(2);

/** The key of the index row of an entity: SHA-256(`00 ‖ id`). */
export function indexStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(INDEX_TAG, entityId);
}

/** The key of the entry row of an entity, which holds its data: SHA-256(`01 ‖ id`). */
export function entryStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(ENTRY_TAG, entityId);
}

/** The key of the synchronisation state of an entity: SHA-256(`02 ‖ id`). Neither revision writes such rows. */
export function syncStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(SYNC_STATE_TAG, entityId);
}

/** The default key of the private state of a Rust type: SHA-256 of the type's name. */
export function privateStateKey(typeName: string): Uint8Array {
  return sha256(utf8(typeName));
}

/** `own_hash` of an entity: SHA-256 of its data. 32 bytes, all revisions. */
export function ownHash(data: Uint8Array): Uint8Array {
  return sha256(data);
}

/**
 * core-0.10. `full_hash`: SHA-256(`own_hash ‖ merkle_hash` of each child in stored order). 32 bytes. A root that never
 * had children may keep zeros instead.
 */
export function fullHash010({ ownHash, children }: Pick<EntityIndex010, "ownHash" | "children">): Uint8Array {
  return sha256All([ownHash, ...(children ?? []).map(({ merkleHash }) => merkleHash)]);
}

/** core-0.11. The same with the children sorted by id. 32 bytes. */
export function fullHash011({ ownHash, children }: Pick<EntityIndex011, "ownHash" | "children">): Uint8Array {
  const byId = [...(children ?? [])].sort((a, b) => compareBytes(a.id, b.id));
  return sha256All([ownHash, ...byId.map(({ merkleHash }) => merkleHash)]);
}

/**
 * core-1.0. SHA-256(`own_hash`) of an entity without children, SHA-256(`own_hash ‖ trie_root`) with. 32 bytes.
 *
 * @param trieRoot `childTrieHash` of the first row of the trie of its children, 32 bytes; undefined without children
 */
export function fullHash(ownHash: Uint8Array, trieRoot?: Uint8Array): Uint8Array {
  return trieRoot === undefined ? sha256(ownHash) : sha256(ownHash, trieRoot);
}
