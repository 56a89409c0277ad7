/**
 * Types that values carry inside as bytes, and types that several values share. A name without suffix is the layout of
 * the newest revision that has the type; an older layout has the suffix `010`, `011` or `Documented`.
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
export {
  DeviceLabel,
  DeviceScope,
  OwnerOpAuthorization,
  SignedDeviceLabel,
  SignedDeviceScope,
  SignedOwnerOpAuthorization,
} from "./account-statements.js";
export { Action010, Action011, ActionList010, ActionList011, MOST_ACTIONS } from "./action.js";
export {
  Action,
  ActionList,
  type AnyAction,
  type AnyActionList,
  actionsIn,
  parentIn,
} from "./action-list.js";
export { BUCKET_MAX, ChildTrieRow, flawOf, type TrieChild } from "./child-trie-row.js";
export { Metadata, MetadataWithoutOnBehalf } from "./compact-metadata.js";
export { CrdtType, customTypeId } from "./crdt-type.js";
export {
  AbsorbEntity,
  AbsorbLeaf,
  AbsorbRecord,
  AbsorbRecord011,
  GovernanceParentEdge,
  RotationLogEntry,
} from "./delta.js";
export { DeltaDelegation, DeltaRow, deltaRow } from "./delta-row.js";
export {
  EncryptedGroupOp,
  EnvelopeRecipient,
  KeyEnvelope,
  KeyEnvelope010,
  KeyRotation,
  KeyRotation010,
} from "./envelope.js";
export { Event } from "./event.js";
export {
  GroupOp,
  GroupOpEarlier,
  GroupOpEarlier24,
  isWrittenVersion,
  SignedGroupOp,
  UnwrappedGroupOp,
} from "./group-operation.js";
export { GroupOp010, SignedGroupOp010 } from "./group-operation-010.js";
export { GroupOp011, SignedGroupOp011, SubgroupVisibility } from "./group-operation-011.js";
export { HybridTimestamp, HybridTimestamp010, HybridTimestamp011 } from "./hybrid-timestamp.js";
export {
  GroupInvitationFromAdmin,
  GroupInvitationFromAdmin010,
  GroupInvitationFromAdmin011,
  SignedGroupOpenInvitation,
  SignedGroupOpenInvitation010,
  SignedGroupOpenInvitation011,
} from "./invitation.js";
export { GroupMemberRole, GroupMemberRole010, GroupMemberRole011 } from "./member-role.js";
export {
  ChildInfo,
  ChildInfo010,
  CrdtType010,
  CrdtType011,
  Metadata010,
  Metadata011,
} from "./metadata.js";
export {
  AdmitterEndorsement,
  NamespaceOp,
  ReadableNamespaceEntry,
  RootOp,
  RootOpWithoutQuote,
  RootOpWithoutSalt,
  SignedNamespaceOp,
  StoredNamespaceEntry,
  UnwrappedRootOp,
} from "./namespace-operation.js";
export {
  NamespaceOp010,
  ReadableNamespaceEntry010,
  RootOp010,
  SignedNamespaceOp010,
  StoredNamespaceEntry010,
} from "./namespace-operation-010.js";
export {
  NamespaceOp011,
  OpaqueSkeleton,
  ReadableNamespaceEntry011,
  RootOp011,
  SignedNamespaceOp011,
  StoredNamespaceEntry011,
} from "./namespace-operation-011.js";
export {
  type OperationLayouts,
  type OperationRevision,
  operationLayouts,
  operations10,
  operations010,
  operations011,
} from "./operation-layouts.js";
export {
  type AnyGroupOp,
  type ReadableOperation,
  readableGroupOp,
  readableRootOp,
} from "./readable-operations.js";
export { EntityIndex010, EntityIndex011 } from "./state.js";
export {
  EntryRules,
  SignatureData,
  SignatureData010,
  SignatureData011,
  StorageType,
  StorageType010,
  StorageType011,
  StorageTypeWithoutOnBehalf,
  WriterBit,
  Writers,
  Writers011,
} from "./storage-type.js";
export { CarriedOpPayload, Op, OpPayload } from "./unified-op.js";
export { Authorship, Op011, OpPayload011 } from "./unified-op-011.js";
export { Duration, UpgradePolicy, UpgradePolicyDocumented } from "./upgrade-policy.js";
export {
  ContextCreationDelegation,
  ContextCreationWarrant,
  Delegation,
  DelegationA,
  DelegationB,
  GovernanceDelegation,
  GovernanceWarrant,
  Warrant,
  WarrantA,
  WarrantB,
} from "./warrant.js";
