/** The parts that several keys share, named as the Rust fields in camelCase, and descriptions of all parts. */
import type { Id } from "../bytes/id.js";
import { id32, partsOf, u64be } from "./part.js";

/** The parts of keys. `Alias`, `Generic` and `ScopeUnifiedOp` declare their own, whose names have other meanings. */
export interface PartValues {
  /** The context: 32 bytes, generated as an Ed25519 public key. */
  readonly contextId: Id;
  /** The group: 32 bytes. A root group's id is also its namespace's id. */
  readonly groupId: Id;
  /** The child group: 32 bytes. */
  readonly childGroupId: Id;
  /** The parent group: 32 bytes. */
  readonly parentGroupId: Id;
  /** The namespace: the id of its root group, 32 bytes. */
  readonly namespaceId: Id;
  /** The member's Ed25519 public key, 32 bytes. */
  readonly identity: Id;
  /** The member's Ed25519 public key, 32 bytes; the same as `identity` under the name of other rows. */
  readonly member: Id;
  /** The member's account: a hash, 32 bytes. Takes the place of the public key in core-0.11. */
  readonly account: Id;
  /** The member's account: a hash, 32 bytes; the same as `account` under the name of other rows. */
  readonly accountId: Id;
  /** The account that left: a hash, 32 bytes. */
  readonly departed: Id;
  /** The device of an account: a hash, 32 bytes. */
  readonly deviceId: Id;
  /** The device that is gone: a hash, 32 bytes. */
  readonly device: Id;
  /** The application's id, 32 bytes. */
  readonly applicationId: Id;
  /** The blob's or chunk's id: SHA-256, 32 bytes. */
  readonly blobId: Id;
  /** An Ed25519 public key, 32 bytes. */
  readonly publicKey: Id;
  /** The signer's Ed25519 public key, 32 bytes. */
  readonly signer: Id;
  /** The device's Ed25519 public key, 32 bytes. */
  readonly deviceKey: Id;
  /** The namespace in which the account was made: 32 bytes. */
  readonly accountNamespaceId: Id;
  /** SHA-256 of the account's id and the device's id, 32 bytes. */
  readonly scopeHash: Id;
  /** 32 zero bytes in the rows that nodes write. */
  readonly reserved: Id;
  /** SHA-256 of the group key, 32 bytes. */
  readonly keyId: Id;
  /** The delta or governance operation: SHA-256 of its content, 32 bytes. */
  readonly deltaId: Id;
  /** The invitation's nonce, 32 bytes: the invitation serves an account once. */
  readonly invitationNonce: Id;
  /** Position in the log or queue, from 1; 8 bytes big-endian. */
  readonly sequence: bigint;
  /** The kind of a row of State since core-1.0: 0 an entity, 3 children of an entity, 255 private data. 1 byte. */
  readonly tag: number;
  /**
   * The place of the entry in the application's storage. Since core-1.0 the entity's id, or the address of a row of its
   * children: 32 bytes. Before, 32 bytes that are a SHA-256 for the storage library. Any length in the document.
   */
  readonly stateKey: Uint8Array;
  /** App key of the application that made the delta: blob id of its code, 32 bytes. */
  readonly producingAppKey: Id;
  /** The entity that is the collection, 32 bytes. */
  readonly collectionId: Id;
  /** The entry's key in the collection, as bytes in the same order; any length. */
  readonly orderKey: Uint8Array;
}

/** A part whose value {@link PartValues} declares. */
export const part = partsOf<PartValues>();

export const contextId = part(id32("contextId"));
export const groupId = part(id32("groupId"));
export const namespaceId = part(id32("namespaceId"));
export const identity = part(id32("identity"));
export const member = part(id32("member"));
export const account = part(id32("account"));
export const accountId = part(id32("accountId"));
export const deviceId = part(id32("deviceId"));
export const applicationId = part(id32("applicationId"));
export const publicKey = part(id32("publicKey"));
export const keyId = part(id32("keyId"));
export const deltaId = part(id32("deltaId"));
export const sequence = part(u64be("sequence"));
