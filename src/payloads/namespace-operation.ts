/** Governance operations of a namespace in core-0.10. Those of core-0.11: namespace-operation-011.ts. */
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
import { EncryptedGroupOp, KeyEnvelope, KeyRotation } from "./envelope.js";
import { SignedGroupOpenInvitation } from "./invitation.js";

/** An operation on the namespace itself, readable by everyone in it. From 5 bytes. */
export const RootOp = enumOf("RootOp", {
  GroupCreated: { groupId: b32 },
  GroupDeleted: { groupId: b32 },
  AdminChanged: { newAdmin: b32 },
  PolicyUpdated: { policyBytes: bytes },
  GroupNested: { parentGroupId: b32, childGroupId: b32 },
  GroupUnnested: { parentGroupId: b32, childGroupId: b32 },
  MemberJoined: { member: b32, signedInvitation: SignedGroupOpenInvitation },
  KeyDelivery: { groupId: b32, envelope: KeyEnvelope },
});
export type RootOp = Decoded<typeof RootOp>;

/** An operation on the namespace, or one on a group, encrypted under its key. From 6 bytes. */
export const NamespaceOp = enumOf("NamespaceOp", {
  Root: { value: RootOp },
  Group: { groupId: b32, keyId: b32, encrypted: EncryptedGroupOp, keyRotation: option(KeyRotation) },
});
export type NamespaceOp = Decoded<typeof NamespaceOp>;

/** An operation with its place in the graph and its signature. `version` is 1, `stateHash` zeros. From 179 bytes. */
export const SignedNamespaceOp = struct("SignedNamespaceOp", {
  version: u8,
  namespaceId: b32,
  parentOpHashes: vec(b32),
  stateHash: b32,
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
