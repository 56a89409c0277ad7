/** Governance operations of a namespace in core-0.10. */
import { b32, bytes, type Codec, type Decoded, type EnumOf, enumOf, struct, u8 } from "../codec/index.js";
import { KeyEnvelope010, KeyRotation010 } from "./envelope.js";
import { SignedGroupOpenInvitation010 } from "./invitation.js";
import {
  namespaceOps,
  placeInNamespace,
  readableEntry,
  type StoredEntry,
  signedInNamespace,
  storedEntry,
} from "./namespace-operation-011.js";

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

/** An operation on the namespace, or one on a group, encrypted under its key, in core-0.10. From 6 bytes. */
export const NamespaceOp010: Codec<NamespaceOp010> = enumOf(
  "NamespaceOp",
  namespaceOps(RootOp010, KeyRotation010),
);
export type NamespaceOp010 = EnumOf<ReturnType<typeof namespaceOps<RootOp010, KeyRotation010>>>;

/** A namespace operation with its place in the graph and its signature, in core-0.10. From 179 bytes. */
export const SignedNamespaceOp010 = struct("SignedNamespaceOp", {
  /** 1 in the rows that nodes write. */
  version: u8,
  ...placeInNamespace,
  /** 32 zeros in the rows that nodes write. */
  stateHash: b32,
  ...signedInNamespace(NamespaceOp010),
});
export type SignedNamespaceOp010 = Decoded<typeof SignedNamespaceOp010>;

/** The content of a row of the namespace's operations in core-0.10. From 101 bytes. */
export const StoredNamespaceEntry010: Codec<StoredNamespaceEntry010> = storedEntry(SignedNamespaceOp010);
export type StoredNamespaceEntry010 = StoredEntry<SignedNamespaceOp010>;

/** The same as nodes read it: rows of older builds have no tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry010 = readableEntry(StoredNamespaceEntry010, SignedNamespaceOp010);
