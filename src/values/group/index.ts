/** Values of the Group column family. */
export {
  GroupAccountKeyValue,
  GroupDeviceBindingValue,
  NodeAccountRootValue,
  NodeDeviceIdentityValue,
  NodeIdentityValue,
} from "./account.js";
export {
  Capability,
  ContextCapability,
  GroupDefaultCapsValue,
  GroupDefaultVisValue,
  GroupMemberCapabilityValue,
  GroupSubgroupVisValue,
} from "./capabilities.js";
export {
  AutoFollowFlags,
  GroupExitReason,
  GroupMemberRole,
  GroupMemberRole011,
  GroupMemberValue,
  GroupMemberValue011,
  GroupMetaValue,
  GroupMetaValue011,
  GroupMetaValueDocumented,
  GroupReentryBlockValue,
  UpgradePolicy,
  UpgradePolicyDocumented,
} from "./membership.js";
export { MetadataRecord } from "./metadata.js";
export {
  ContextServiceNameValue,
  NamespaceGovHeadValue,
  NamespaceGovOpValue,
  NamespaceGovOpValue011,
  NamespaceGovOpValueDocumented,
  NamespaceIdentityValue,
  NamespaceParticipationValue,
} from "./namespace.js";
export {
  GroupLocalGovNonceWindowValue,
  GroupOpHeadValue,
  GroupOpLogValue,
  GroupOpLogValue011,
} from "./operations.js";
export { GroupKeyValue, GroupKeyValue011, GroupSigningKeyValue } from "./secrets.js";
export {
  GroupContextLastMigrationValue,
  GroupUpgradeStatus,
  GroupUpgradeStatusDocumented,
  GroupUpgradeValue,
  GroupUpgradeValue011,
  GroupUpgradeValueDocumented,
  LadderRung,
  UpgradeLadderValue,
} from "./upgrades.js";
