/** Ids of the entities of a context's state (schema 3.14). 32 bytes, both revisions. The root's is the context's. */
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./utf8.js";

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
