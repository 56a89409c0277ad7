/** Values of the Group column family. */
export {
  GroupAccountKeyValue,
  GroupDeviceBindingValue,
  GroupDeviceBindingValue011,
  NodeAccountRootValue,
  NodeDeviceIdentityValue,
  NodeIdentityValue,
} from "./account.js";
export {
  Capability,
  Capability010,
  ContextCapability,
  GroupDefaultCapsValue,
  GroupDefaultVisValue,
  GroupMemberCapabilityValue,
  GroupSubgroupVisValue,
} from "./capabilities.js";
export {
  GroupAccountDeviceLabelValue,
  GroupAccountDeviceValue,
  GroupAccountNamespaceValue,
  GroupDeviceScopeFloorValue,
  GroupOwnerOpCounterValue,
  NodeAccountDeviceCertValue,
  NodeDeviceCertificateValue,
  NodeRevokedFromValue,
} from "./devices.js";
export {
  AutoFollowFlags,
  GroupExitReason,
  GroupMemberValue,
  GroupMemberValue010,
  GroupMemberValue011,
  GroupMetaValue,
  GroupMetaValue010,
  GroupMetaValueDocumented,
  GroupReentryBlockValue,
} from "./membership.js";
export { MetadataRecord } from "./metadata.js";
export {
  ContextServiceNameValue,
  NamespaceGovHeadValue,
  NamespaceGovOpValue,
  NamespaceGovOpValue010,
  NamespaceGovOpValue011,
  NamespaceGovOpValueDocumented,
  NamespaceIdentityValue,
  NamespaceParticipationValue,
} from "./namespace.js";
export {
  GroupLocalGovNonceWindowValue,
  GroupOpHeadValue,
  GroupOpLogValue,
  GroupOpLogValue010,
  GroupOpLogValue011,
} from "./operations.js";
export { GroupKeyValue, GroupKeyValue010, GroupSigningKeyValue } from "./secrets.js";
export {
  GroupContextLastMigrationValue,
  GroupUpgradeStatus,
  GroupUpgradeStatusDocumented,
  GroupUpgradeValue,
  GroupUpgradeValue010,
  GroupUpgradeValue011,
  GroupUpgradeValueDocumented,
  LadderRung,
  LadderRung011,
  UpgradeLadderValue,
  UpgradeLadderValue011,
} from "./upgrades.js";
