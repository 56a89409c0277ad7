/** The parts that several keys share, by the names of the Rust fields in camelCase. */
import { id32, u64be } from "./part.js";

/** A context: 32 bytes, generated as an Ed25519 public key. */
export const contextId = id32("contextId");
/** A group: 32 bytes. A root group's id is also its namespace's id. */
export const groupId = id32("groupId");
/** A namespace: the id of its root group, 32 bytes. */
export const namespaceId = id32("namespaceId");
/** A member's Ed25519 public key, 32 bytes. */
export const identity = id32("identity");
/** A member's Ed25519 public key, 32 bytes; the same as `identity` under the name of other rows. */
export const member = id32("member");
/** A member's account: a hash, 32 bytes. Takes the place of the public key in core-0.11. */
export const account = id32("account");
/** The same under the name of other rows. */
export const accountId = id32("accountId");
/** A device of an account: a hash, 32 bytes. */
export const deviceId = id32("deviceId");
/** An application, 32 bytes. */
export const applicationId = id32("applicationId");
/** An Ed25519 public key, 32 bytes. */
export const publicKey = id32("publicKey");
/** SHA-256 of a group key, 32 bytes. */
export const keyId = id32("keyId");
/** A delta or governance operation: SHA-256 of its content, 32 bytes. */
export const deltaId = id32("deltaId");
/** Position in a log, from 1; 8 bytes big-endian. */
export const sequence = u64be("sequence");
