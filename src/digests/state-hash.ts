/**
 * Hashes of the state's tree (schema 5.5). `own_hash` is the SHA-256 of the entry row's bytes; `full_hash` covers the
 * children too. Null and an empty list of children have the same hash. Deleted children are not covered.
 */
import { compareBytes } from "../bytes/order.js";
import { sha256, sha256All } from "../crypto/index.js";
import type { EntityIndex010, EntityIndex011 } from "../payloads/state.js";

/** `own_hash` of an entity: SHA-256 of its entry row. 32 bytes, both revisions. */
export function ownHash(entry: Uint8Array): Uint8Array {
  return sha256(entry);
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
