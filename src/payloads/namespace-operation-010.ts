/** Governance operations of a namespace in core-0.10. */
import {
  b32,
  b64,
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
import { EncryptedGroupOp, KeyEnvelope010, KeyRotation010 } from "./envelope.js";
import { SignedGroupOpenInvitation010 } from "./invitation.js";
import { OpaqueSkeleton } from "./namespace-operation.js";

/** An operation on the namespace itself, readable by everyone in it. From 5 bytes. */
export const RootOp010 = enumOf("RootOp", {
  GroupCreated: { groupId: b32 },
  GroupDeleted: { groupId: b32 },
  AdminChanged: { newAdmin: b32 },
  PolicyUpdated: { policyBytes: bytes },
  GroupNested: { parentGroupId: b32, childGroupId: b32 },
  GroupUnnested: { parentGroupId: b32, childGroupId: b32 },
  MemberJoined: { member: b32, signedInvitation: SignedGroupOpenInvitation010 },
  KeyDelivery: { groupId: b32, envelope: KeyEnvelope010 },
});
export type RootOp010 = Decoded<typeof RootOp010>;

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp010 = enumOf("NamespaceOp", {
  Root: { value: RootOp010 },
  Group: { groupId: b32, keyId: b32, encrypted: EncryptedGroupOp, keyRotation: option(KeyRotation010) },
});
export type NamespaceOp010 = Decoded<typeof NamespaceOp010>;

/** An operation with its place in the graph and its signature. `version` is 1, `stateHash` zeros. From 179 bytes. */
export const SignedNamespaceOp010 = struct("SignedNamespaceOp", {
  version: u8,
  namespaceId: b32,
  parentOpHashes: vec(b32),
  stateHash: b32,
  signer: b32,
  nonce: u64,
  op: NamespaceOp010,
  signature: b64,
});
export type SignedNamespaceOp010 = Decoded<typeof SignedNamespaceOp010>;

/** What a row of the namespace's operations holds. From 101 bytes. */
export const StoredNamespaceEntry010 = enumOf("StoredNamespaceEntry", {
  Signed: { value: SignedNamespaceOp010 },
  Opaque: { value: OpaqueSkeleton },
});
export type StoredNamespaceEntry010 = Decoded<typeof StoredNamespaceEntry010>;

/** The same as nodes read it: older rows hold an operation, or what is known of one, without a tag. From 101 bytes with the tag. */
export const ReadableNamespaceEntry010 = lenient(StoredNamespaceEntry010, [
  { decode: (bytes) => ({ kind: "Signed" as const, value: SignedNamespaceOp010.decode(bytes) }) },
  { decode: (bytes) => ({ kind: "Opaque" as const, value: OpaqueSkeleton.decode(bytes) }) },
]);
