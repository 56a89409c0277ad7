/** Keys of the Group column family. A prefix byte tells them apart, so each kind lies together. */
export { GroupAlias, GroupContextAlias, GroupMemberAlias } from "./aliases.js";
export {
  GroupContextMemberCap,
  GroupDefaultCaps,
  GroupDefaultVis,
  GroupMemberCapability,
} from "./capabilities.js";
export { GroupChildIndex, GroupParentRef, GroupParentRefDocumented } from "./hierarchy.js";
export {
  ContextGroupRef,
  GroupContextIndex,
  GroupMember,
  GroupMemberContext,
  GroupMeta,
} from "./membership.js";
export {
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
  NamespaceIdentityDocumented,
} from "./namespace.js";
export { GroupLocalGovNonce, GroupOpHead, GroupOpLog } from "./operations.js";
export { GroupKeyEntry, GroupSigningKey, GroupSigningKeyDocumented } from "./secrets.js";
export { GroupContextLastMigration, GroupUpgradeKey } from "./upgrades.js";
