/** Values of the Group column family. */
export {
  Capability,
  ContextCapability,
  GroupDefaultCapsValue,
  GroupDefaultVisValue,
  GroupMemberCapabilityValue,
} from "./capabilities.js";
export {
  GroupMemberRole,
  GroupMemberValue,
  GroupMetaValue,
  GroupMetaValueDocumented,
  UpgradePolicy,
  UpgradePolicyDocumented,
} from "./membership.js";
export { NamespaceGovHeadValue, NamespaceGovOpValue, NamespaceIdentityValue } from "./namespace.js";
export { GroupOpHeadValue } from "./operations.js";
export { GroupKeyValue, GroupSigningKeyValue } from "./secrets.js";
export {
  GroupContextLastMigrationValue,
  GroupUpgradeStatus,
  GroupUpgradeStatusDocumented,
  GroupUpgradeValue,
  GroupUpgradeValueDocumented,
} from "./upgrades.js";
