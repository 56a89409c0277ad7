/** Keys of State rows: SHA-256 of a tag byte and the entity's id (schema 2.1). 32 bytes, both revisions. */
import { sha256 } from "../crypto/index.js";
import { utf8 } from "./utf8.js";

const INDEX = Uint8Array.of(0);
const ENTRY = Uint8Array.of(1);
const SYNC_STATE = Uint8Array.of(2);

/** Where the index row of an entity lies: SHA-256(`00 ‖ id`). */
export function indexStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(INDEX, entityId);
}

/** Where the data of an entity lies: SHA-256(`01 ‖ id`). */
export function entryStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(ENTRY, entityId);
}

/** Where the synchronisation state of an entity would lie: SHA-256(`02 ‖ id`). Neither revision writes such rows. */
export function syncStateKey(entityId: Uint8Array): Uint8Array {
  return sha256(SYNC_STATE, entityId);
}

/** Where private state of a Rust type lies unless the application says otherwise: SHA-256 of the type's name. */
export function privateStateKey(typeName: string): Uint8Array {
  return sha256(utf8(typeName));
}
