/** Governance operations of a namespace in core-0.11: members are accounts, and join with a credential. */
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
import { GroupMemberRole011 } from "../values/group/membership.js";
import { JoinAccountCredential } from "./account.js";
import { EncryptedGroupOp, KeyEnvelope011, KeyRotation011 } from "./envelope.js";
import { teeQuote } from "./group-operation.js";
import { SignedGroupOpenInvitation011 } from "./invitation.js";
import { OpaqueSkeleton } from "./namespace-operation.js";

/** An operation on the namespace itself, readable by everyone in it. From 5 bytes. */
export const RootOp011 = enumOf("RootOp", {
  GroupCreated: { groupId: b32, parentId: b32, restricted: bool, admin: b32 },
  GroupReparented: { childGroupId: b32, newParentId: b32 },
  GroupDeleted: { rootGroupId: b32, cascadeGroupIds: vec(b32), cascadeContextIds: vec(b32) },
  AdminChanged: { newAdmin: b32 },
  PolicyUpdated: { policyBytes: bytes },
  MemberJoined: {
    member: b32,
    signedInvitation: SignedGroupOpenInvitation011,
    account: JoinAccountCredential,
  },
  KeyDelivery: { groupId: b32, envelope: KeyEnvelope011 },
  MemberJoinedOpen: { member: b32, groupId: b32, account: JoinAccountCredential },
  MemberJoinedAt: {
    member: b32,
    signedInvitation: SignedGroupOpenInvitation011,
    joinedAt: u64,
    account: JoinAccountCredential,
  },
  NamespaceCreated: { founder: b32, account: JoinAccountCredential },
  MemberJoinedViaTeeAttestation: {
    groupId: b32,
    member: b32,
    ...teeQuote,
    role: GroupMemberRole011,
    account: JoinAccountCredential,
  },
});
export type RootOp011 = Decoded<typeof RootOp011>;

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp011 = enumOf("NamespaceOp", {
  Root: { value: RootOp011 },
  Group: { groupId: b32, keyId: b32, encrypted: EncryptedGroupOp, keyRotation: option(KeyRotation011) },
});
export type NamespaceOp011 = Decoded<typeof NamespaceOp011>;

/** An operation with its place in the graph and its signature. `version` is 7. From 147 bytes. */
export const SignedNamespaceOp011 = struct("SignedNamespaceOp", {
  version: u8,
  namespaceId: b32,
  parentOpHashes: vec(b32),
  signer: b32,
  nonce: u64,
  op: NamespaceOp011,
  signature: b64,
});
export type SignedNamespaceOp011 = Decoded<typeof SignedNamespaceOp011>;

/** What a row of the namespace's operations holds. From 101 bytes. */
export const StoredNamespaceEntry011 = enumOf("StoredNamespaceEntry", {
  Signed: { value: SignedNamespaceOp011 },
  Opaque: { value: OpaqueSkeleton },
});
export type StoredNamespaceEntry011 = Decoded<typeof StoredNamespaceEntry011>;

/** The same as nodes read it: older rows hold an operation, or what is known of one, without a tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry011 = lenient(StoredNamespaceEntry011, [
  { decode: (bytes) => ({ kind: "Signed" as const, value: SignedNamespaceOp011.decode(bytes) }) },
  { decode: (bytes) => ({ kind: "Opaque" as const, value: OpaqueSkeleton.decode(bytes) }) },
]);
