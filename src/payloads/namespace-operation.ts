/** Governance operations of a namespace. Members are accounts, and join with a credential. */
import {
  b32,
  b64,
  bool,
  bytes,
  type Decoded,
  enumOf,
  lenient,
  option,
  struct,
  u8,
  u64,
  vec,
} from "../codec/index.js";
import { JoinAccountCredential } from "./account.js";
import { EncryptedGroupOp, KeyEnvelope, KeyRotation } from "./envelope.js";
import { SignedGroupOpenInvitation } from "./invitation.js";
import { GroupMemberRole } from "./member-role.js";
import { teeQuote } from "./tee.js";

/** An operation on the namespace itself, readable by everyone in it. From 5 bytes. */
export const RootOp = enumOf("RootOp", {
  GroupCreated: { groupId: b32, parentId: b32, restricted: bool, admin: b32 },
  GroupReparented: { childGroupId: b32, newParentId: b32 },
  GroupDeleted: { rootGroupId: b32, cascadeGroupIds: vec(b32), cascadeContextIds: vec(b32) },
  AdminChanged: { newAdmin: b32 },
  PolicyUpdated: { policyBytes: bytes },
  MemberJoined: {
    member: b32,
    signedInvitation: SignedGroupOpenInvitation,
    account: JoinAccountCredential,
  },
  KeyDelivery: { groupId: b32, envelope: KeyEnvelope },
  MemberJoinedOpen: { member: b32, groupId: b32, account: JoinAccountCredential },
  MemberJoinedAt: {
    member: b32,
    signedInvitation: SignedGroupOpenInvitation,
    joinedAt: u64,
    account: JoinAccountCredential,
  },
  NamespaceCreated: { founder: b32, account: JoinAccountCredential },
  MemberJoinedViaTeeAttestation: {
    groupId: b32,
    member: b32,
    ...teeQuote,
    role: GroupMemberRole,
    account: JoinAccountCredential,
  },
});
export type RootOp = Decoded<typeof RootOp>;

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp = enumOf("NamespaceOp", {
  Root: { value: RootOp },
  Group: { groupId: b32, keyId: b32, encrypted: EncryptedGroupOp, keyRotation: option(KeyRotation) },
});
export type NamespaceOp = Decoded<typeof NamespaceOp>;

/** An operation with its place in the graph and its signature. `version` is 7. From 147 bytes. */
export const SignedNamespaceOp = struct("SignedNamespaceOp", {
  version: u8,
  namespaceId: b32,
  parentOpHashes: vec(b32),
  signer: b32,
  nonce: u64,
  op: NamespaceOp,
  signature: b64,
});
export type SignedNamespaceOp = Decoded<typeof SignedNamespaceOp>;

/** What is known of an operation that this node cannot read. From 100 bytes. */
export const OpaqueSkeleton = struct("OpaqueSkeleton", {
  deltaId: b32,
  parentOpHashes: vec(b32),
  groupId: b32,
  signer: b32,
});
export type OpaqueSkeleton = Decoded<typeof OpaqueSkeleton>;

/** What a row of the namespace's operations holds. From 101 bytes. */
export const StoredNamespaceEntry = enumOf("StoredNamespaceEntry", {
  Signed: { value: SignedNamespaceOp },
  Opaque: { value: OpaqueSkeleton },
});
export type StoredNamespaceEntry = Decoded<typeof StoredNamespaceEntry>;

/** The same as nodes read it: older rows hold an operation, or what is known of one, without a tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry = lenient(StoredNamespaceEntry, [
  { decode: (bytes) => ({ kind: "Signed" as const, value: SignedNamespaceOp.decode(bytes) }) },
  { decode: (bytes) => ({ kind: "Opaque" as const, value: OpaqueSkeleton.decode(bytes) }) },
]);
