/**
 * Types that values carry inside as bytes, and types that several values share. A name without suffix is the layout of the
 * newest revision that has the type; an older layout has the suffix `010`, `011` or `Documented`.
 */
export {
  AccountGenesis,
  AccountMemberEndorsement,
  accountChain,
  DeviceCert,
  DeviceRevocation,
  JoinAccountCredential,
  RootKeyHandoff,
  SignedDeviceRevocation,
} from "./account.js";
export { Action010, Action011, ActionList010, ActionList011 } from "./action.js";
export { BUCKET_MAX, ChildTrieRow, flawOf, type TrieChild } from "./child-trie-row.js";
export { Metadata, MetadataWithoutOnBehalf } from "./compact-metadata.js";
export { CrdtType, customTypeId } from "./crdt-type.js";
export { AbsorbEntity, AbsorbLeaf, AbsorbRecord, GovernanceParentEdge, RotationLogEntry } from "./delta.js";
export {
  EncryptedGroupOp,
  EnvelopeRecipient,
  KeyEnvelope,
  KeyEnvelope010,
  KeyRotation,
  KeyRotation010,
} from "./envelope.js";
export { Event } from "./event.js";
export { GroupOp, SignedGroupOp, SubgroupVisibility } from "./group-operation.js";
export { GroupOp010, SignedGroupOp010 } from "./group-operation-010.js";
export { HybridTimestamp, HybridTimestamp010 } from "./hybrid-timestamp.js";
export {
  GroupInvitationFromAdmin,
  GroupInvitationFromAdmin010,
  SignedGroupOpenInvitation,
  SignedGroupOpenInvitation010,
} from "./invitation.js";
export { GroupMemberRole, GroupMemberRole010 } from "./member-role.js";
export {
  ChildInfo,
  ChildInfo010,
  CrdtType010,
  CrdtType011,
  Metadata010,
  Metadata011,
} from "./metadata.js";
export {
  NamespaceOp,
  OpaqueSkeleton,
  ReadableNamespaceEntry,
  RootOp,
  SignedNamespaceOp,
  StoredNamespaceEntry,
} from "./namespace-operation.js";
export {
  NamespaceOp010,
  ReadableNamespaceEntry010,
  RootOp010,
  SignedNamespaceOp010,
  StoredNamespaceEntry010,
} from "./namespace-operation-010.js";
export { EntityIndex010, EntityIndex011 } from "./state.js";
export {
  EntryRules,
  SignatureData,
  SignatureData010,
  SignatureData011,
  StorageType,
  StorageType010,
  StorageType011,
  WriterBit,
  Writers,
  Writers011,
} from "./storage-type.js";
export { Authorship, Op, OpPayload } from "./unified-op.js";
export { Duration, UpgradePolicy, UpgradePolicyDocumented } from "./upgrade-policy.js";
