/** Keys of the Group column family. A prefix byte distinguishes the kinds, so the rows of a kind are adjacent. */
export {
  GroupAccountEndorser,
  GroupAccountKey,
  GroupDeviceBinding,
  GroupRevokedDevice,
  NodeAccountRoot,
  NodeDeviceIdentity,
  NodeIdentity,
} from "./account.js";
export {
  GroupAlias,
  GroupContextAlias,
  GroupContextMetadata,
  GroupMemberAlias,
  GroupMemberMetadata,
  GroupMetadata,
} from "./aliases.js";
export {
  GroupContextMemberCap,
  GroupDefaultCaps,
  GroupDefaultVis,
  GroupMemberCapability,
  GroupMemberCapability010,
  GroupSubgroupVis,
} from "./capabilities.js";
export {
  GroupAccountDevice,
  GroupAccountDeviceLabel,
  GroupAccountDeviceRevocation,
  GroupAccountNamespace,
  GroupDeviceScopeFloor,
  GroupOwnerOpCounter,
  GroupRevokedSigner,
  GroupSignerAccount,
  GroupSignerDevice,
  NodeAccountDeviceCert,
  NodeAccountNamespace,
  NodeDeviceCertificate,
  NodeRevokedFrom,
} from "./devices.js";
export { GroupChildIndex, GroupParentRef, GroupParentRefDocumented } from "./hierarchy.js";
export {
  ContextGroupRef,
  GroupConsumedInvitation,
  GroupContextIndex,
  GroupDeniedMember,
  GroupInheritedDeniedMember,
  GroupMember,
  GroupMember010,
  GroupMemberByAccount,
  GroupMemberContext,
  GroupMemberIndexBackfilled,
  GroupMeta,
  GroupReentryBlock,
} from "./membership.js";
export {
  ContextServiceName,
  NamespaceBootstrapInviter,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
  NamespaceIdentityDocumented,
  NamespaceParticipation,
  PendingSelfPurge,
} from "./namespace.js";
export { GroupLocalGovNonce, GroupLocalGovNonceWindow, GroupOpHead, GroupOpLog } from "./operations.js";
export {
  GroupKeyEntry,
  GroupPendingDeviceRotation,
  GroupPendingKeyRotation,
  GroupSigningKey,
  GroupSigningKeyDocumented,
} from "./secrets.js";
export {
  GroupContextLastMigration,
  GroupFleetCompletion,
  GroupUpgradeKey,
  GroupUpgradeLadder,
} from "./upgrades.js";
