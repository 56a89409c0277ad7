/**
 * Hashes of the state's tree (schema 5.5). `own_hash` is the SHA-256 of an entity's data; `full_hash` covers the children
 * too. No children and an empty list of children have the same hash. Deleted children are not covered.
 */
import { compareBytes } from "../bytes/order.js";
import { sha256, sha256All } from "../crypto/index.js";
import type { EntityIndex010, EntityIndex011 } from "../payloads/state.js";

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

/** core-0.11. The same with the children by id, whatever order they are stored in. 32 bytes. */
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
