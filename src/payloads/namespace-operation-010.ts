/** Governance operations of a namespace in core-0.10. */
import {
  b32,
  b64,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  option,
  struct,
  u8,
  u64,
  vec,
} from "../codec/index.js";
import { EncryptedGroupOp, KeyEnvelope010, KeyRotation010 } from "./envelope.js";
import { SignedGroupOpenInvitation010 } from "./invitation.js";
import { readableEntry, type StoredEntry, storedEntry } from "./namespace-operation-011.js";

const rootOp010 = {
  /** An admin creates a group. */
  GroupCreated: {
    /** The group's id, 32 bytes. */
    groupId: b32,
  },
  /** An admin deletes a group that has no contexts. */
  GroupDeleted: {
    /** The group's id, 32 bytes. */
    groupId: b32,
  },
  /** An admin makes another key the namespace's admin. */
  AdminChanged: {
    /** The new admin's Ed25519 public key, 32 bytes. */
    newAdmin: b32,
  },
  /** An admin publishes a policy. Nodes do nothing with it. */
  PolicyUpdated: {
    /** The policy, as received. */
    policyBytes: bytes,
  },
  /** An admin puts a group under another. */
  GroupNested: {
    /** Id of the parent group, 32 bytes. */
    parentGroupId: b32,
    /** Id of the child group, 32 bytes. */
    childGroupId: b32,
  },
  /** An admin takes a group out of another. */
  GroupUnnested: {
    /** Id of the parent group, 32 bytes. */
    parentGroupId: b32,
    /** Id of the child group, 32 bytes. */
    childGroupId: b32,
  },
  /** Somebody joins a group by an invitation. */
  MemberJoined: {
    /** The member's Ed25519 public key, 32 bytes: the signer's. */
    member: b32,
    /** The invitation that was used. */
    signedInvitation: SignedGroupOpenInvitation010,
  },
  /** A member gives another the key of a group. */
  KeyDelivery: {
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** The group's key for one member. */
    envelope: KeyEnvelope010,
  },
};

/** An operation on the namespace itself in core-0.10, readable by everyone in it. From 5 bytes. */
export const RootOp010: Codec<RootOp010> = enumOf("RootOp", rootOp010);
export type RootOp010 = EnumOf<typeof rootOp010>;
const namespaceOp010 = {
  /** An operation on the namespace itself. */
  Root: {
    /** The operation, in clear. */
    value: RootOp010,
  },
  /** An operation on a group. */
  Group: {
    /** The group's id, 32 bytes. */
    groupId: b32,
    /** Id of the key that it is encrypted under: SHA-256 of the key, 32 bytes. */
    keyId: b32,
    /** The operation, encrypted. */
    encrypted: EncryptedGroupOp,
    /** The group's new key where the operation changes it, otherwise null. */
    keyRotation: option(KeyRotation010),
  },
};

/** An operation on the namespace, or one on a group, encrypted under its key, in core-0.10. From 6 bytes. */
export const NamespaceOp010: Codec<NamespaceOp010> = enumOf("NamespaceOp", namespaceOp010);
export type NamespaceOp010 = EnumOf<typeof namespaceOp010>;

/** A namespace operation with its place in the graph and its signature, in core-0.10. From 179 bytes. */
export const SignedNamespaceOp010 = struct("SignedNamespaceOp", {
  /** 1 in the rows that nodes write. */
  version: u8,
  /** The namespace's id, 32 bytes. */
  namespaceId: b32,
  /** Ids of the operations that it follows, 32 bytes each. */
  parentOpHashes: vec(b32),
  /** 32 zeros in the rows that nodes write. */
  stateHash: b32,
  /** The signer's Ed25519 public key, 32 bytes. */
  signer: b32,
  /** One more than the `sequence` of the signer's NamespaceGovHead when it was made. */
  nonce: u64,
  /** The operation. */
  op: NamespaceOp010,
  /** Ed25519 signature over `calimero.namespace.v1` and the fields before it, 64 bytes. */
  signature: b64,
});
export type SignedNamespaceOp010 = Decoded<typeof SignedNamespaceOp010>;

/** The content of a row of the namespace's operations in core-0.10. From 101 bytes. */
export const StoredNamespaceEntry010: Codec<StoredNamespaceEntry010> = storedEntry(SignedNamespaceOp010);
export type StoredNamespaceEntry010 = StoredEntry<SignedNamespaceOp010>;

/** The same as nodes read it: rows of older builds have no tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry010 = readableEntry(StoredNamespaceEntry010, SignedNamespaceOp010);
