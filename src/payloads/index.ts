/**
 * What values carry inside as bytes. A name without suffix is the layout of `core-0.10`; the suffix `011` marks the
 * layout of the same type in core-0.11, where it differs.
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
export { Action, Action011, ActionList, ActionList011 } from "./action.js";
export { AbsorbRecord, GovernanceParentEdge, RotationLogEntry } from "./delta.js";
export {
  EncryptedGroupOp,
  EnvelopeRecipient,
  KeyEnvelope,
  KeyEnvelope011,
  KeyRotation,
  KeyRotation011,
} from "./envelope.js";
export { Event } from "./event.js";
export { GroupOp, SignedGroupOp, teePolicy, teeQuote } from "./group-operation.js";
export { GroupOp011, SignedGroupOp011, SubgroupVisibility } from "./group-operation-011.js";
export {
  GroupInvitationFromAdmin,
  GroupInvitationFromAdmin011,
  SignedGroupOpenInvitation,
  SignedGroupOpenInvitation011,
} from "./invitation.js";
export {
  ChildInfo,
  ChildInfo011,
  CrdtType,
  CrdtType011,
  Metadata,
  Metadata011,
  SignatureData,
  SignatureData011,
  StorageType,
  StorageType011,
  WriterBit,
  Writers,
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
  NamespaceOp011,
  ReadableNamespaceEntry011,
  RootOp011,
  SignedNamespaceOp011,
  StoredNamespaceEntry011,
} from "./namespace-operation-011.js";
export { EntityIndex, EntityIndex011 } from "./state.js";
export { Authorship, Op, OpPayload } from "./unified-op.js";
