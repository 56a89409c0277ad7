/**
 * The Storage Schema document's own layouts. No node writes them. Key classes, value types and the types inside values, under plain names: a program that
 * imports only this module meets no other revision. Written by `npm run docs`.
 *
 * @example
 * import { openStore } from "merostore";
 * import { GroupMember, schema } from "merostore/documented";
 *
 * const store = await openStore("node/data", { schema });
 * for await (const { key, value } of store.table(GroupMember).scan()) console.log(`${key}`, value);
 * await store.close();
 *
 * @module
 */
export {
  Alias,
  AliasKind,
  ApplicationMeta,
  BlobMeta,
  ContextConfig,
  ContextDagDelta,
  ContextGroupRef,
  ContextIdentityDocumented as ContextIdentity,
  ContextMeta,
  ContextPrivateStateDocumented as ContextPrivateState,
  ContextStateDocumented as ContextState,
  Generic,
  type GenericScope,
  GroupAlias,
  GroupChildIndex,
  GroupContextAlias,
  GroupContextIndex,
  GroupContextLastMigration,
  GroupContextMemberCap,
  GroupDefaultCaps,
  GroupKeyEntry,
  GroupLocalGovNonce,
  GroupMember010 as GroupMember,
  GroupMemberAlias,
  GroupMemberCapability010 as GroupMemberCapability,
  GroupMemberContext,
  GroupMeta,
  GroupOpHead,
  GroupOpLog,
  GroupParentRefDocumented as GroupParentRef,
  GroupSigningKeyDocumented as GroupSigningKey,
  GroupUpgradeKey,
  genericScope,
  genericScopes,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentityDocumented as NamespaceIdentity,
  noScope,
  scopeBytes,
} from "../keys/index.js";
export {
  Action010 as Action,
  ChildInfo010 as ChildInfo,
  CrdtType010 as CrdtType,
  Event,
  GroupMemberRole010 as GroupMemberRole,
  HybridTimestamp010 as HybridTimestamp,
  Metadata010 as Metadata,
  SignatureData010 as SignatureData,
  StorageType010 as StorageType,
  UpgradePolicyDocumented as UpgradePolicy,
} from "../payloads/index.js";
export { type Documented, documented, documented as schema } from "../schemas/documented.js";
export {
  ApplicationMetaValue010 as ApplicationMetaValue,
  BlobMetaValue010 as BlobMetaValue,
  ContextConfigValue,
  ContextDagDeltaValueDocumented as ContextDagDeltaValue,
  ContextIdentityValue010 as ContextIdentityValue,
  ContextMetaValueDocumented as ContextMetaValue,
  GroupContextLastMigrationValue,
  GroupDefaultCapsValue,
  GroupMemberCapabilityValue,
  GroupMetaValueDocumented as GroupMetaValue,
  GroupOpHeadValue,
  GroupOwnerOpCounterValue,
  GroupSigningKeyValue,
  GroupUpgradeStatusDocumented as GroupUpgradeStatus,
  GroupUpgradeValueDocumented as GroupUpgradeValue,
  NamespaceGovHeadValue,
  NamespaceGovOpValueDocumented as NamespaceGovOpValue,
  NamespaceIdentityValue,
  SearchIndexValue,
  ServiceMeta,
} from "../values/index.js";
