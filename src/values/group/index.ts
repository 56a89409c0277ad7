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
  Capability010,
  ContextCapability,
  GroupDefaultCapsValue,
  GroupDefaultVisValue,
  GroupMemberCapabilityValue,
  GroupSubgroupVisValue,
} from "./capabilities.js";
export {
  AutoFollowFlags,
  GroupExitReason,
  GroupMemberValue,
  GroupMemberValue010,
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
  NamespaceGovOpValueDocumented,
  NamespaceIdentityValue,
  NamespaceParticipationValue,
} from "./namespace.js";
export {
  GroupLocalGovNonceWindowValue,
  GroupOpHeadValue,
  GroupOpLogValue,
  GroupOpLogValue010,
} from "./operations.js";
export { GroupKeyValue, GroupKeyValue010, GroupSigningKeyValue } from "./secrets.js";
export {
  GroupContextLastMigrationValue,
  GroupUpgradeStatus,
  GroupUpgradeStatusDocumented,
  GroupUpgradeValue,
  GroupUpgradeValue010,
  GroupUpgradeValueDocumented,
  LadderRung,
  UpgradeLadderValue,
} from "./upgrades.js";
