/** Keys of State rows: SHA-256 of a tag byte and the entity's id (schema 2.1). 32 bytes, both revisions. */
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./utf8.js";

const INDEX = Uint8Array.of(0);
const ENTRY = Uint8Array.of(1);
const SYNC_STATE = Uint8Array.of(2);

/** The key of the index row of an entity: SHA-256(`00 ‖ id`). */
export function indexStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(INDEX, entityId);
}

/** The key of the entry row of an entity, which holds its data: SHA-256(`01 ‖ id`). */
export function entryStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(ENTRY, entityId);
}

/** The key of the synchronisation state of an entity: SHA-256(`02 ‖ id`). Neither revision writes such rows. */
export function syncStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(SYNC_STATE, entityId);
}

/** The default key of the private state of a Rust type: SHA-256 of the type's name. */
export function privateStateKey(typeName: string): Uint8Array {
  return sha256(utf8(typeName));
}
