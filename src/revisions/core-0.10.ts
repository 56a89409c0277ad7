/**
 * The rows of nodes of version 0.10.1-rc.18 and rc.19. Key classes, value types and the types inside values, under plain names: a program that
 * imports only this module meets no other revision. Written by `npm run docs`.
 *
 * @example
 * import { openStore } from "merostore";
 * import { GroupMember, schema } from "merostore/core-0.10";
 *
 * const store = await openStore("node/data", { schema });
 * for await (const { key, value } of store.table(GroupMember).scan()) console.log(`${key}`, value);
 * await store.close();
 *
 * @module
 */

export {
  actionDigest010 as actionDigest,
  actionSignature010 as actionSignature,
  deltaId010 as deltaId,
  deltaSigningBytes011 as deltaSigningBytes,
  fullHash010 as fullHash,
  groupOpId010 as groupOpId,
  groupOpSigningBytes010 as groupOpSigningBytes,
  invitationDigest010 as invitationDigest,
  namespaceOpId010 as namespaceOpId,
  namespaceOpSigningBytes010 as namespaceOpSigningBytes,
} from "../digests/index.js";
export {
  Alias,
  AliasKind,
  ApplicationMeta,
  BlobMeta,
  ContextConfig,
  ContextDagDelta,
  ContextGroupRef,
  ContextIdentity,
  ContextMeta,
  ContextPrivateState011 as ContextPrivateState,
  ContextState011 as ContextState,
  Generic,
  type GenericScope,
  GroupAlias,
  GroupChildIndex,
  GroupContextAlias,
  GroupContextIndex,
  GroupContextLastMigration,
  GroupContextMemberCap,
  GroupDefaultCaps,
  GroupDefaultVis,
  GroupKeyEntry,
  GroupLocalGovNonce,
  GroupMember010 as GroupMember,
  GroupMemberAlias,
  GroupMemberCapability010 as GroupMemberCapability,
  GroupMemberContext,
  GroupMeta,
  GroupOpHead,
  GroupOpLog,
  GroupParentRef,
  GroupSigningKey,
  GroupUpgradeKey,
  genericScope,
  genericScopes,
  NamespaceGovHead,
  NamespaceGovOp,
  NamespaceIdentity,
  noScope,
  scopeBytes,
} from "../keys/index.js";
export {
  Action010 as Action,
  ActionList010 as ActionList,
  ChildInfo010 as ChildInfo,
  CrdtType010 as CrdtType,
  Duration,
  EncryptedGroupOp,
  EntityIndex010 as EntityIndex,
  GroupInvitationFromAdmin010 as GroupInvitationFromAdmin,
  GroupMemberRole010 as GroupMemberRole,
  GroupOp010 as GroupOp,
  HybridTimestamp010 as HybridTimestamp,
  KeyEnvelope010 as KeyEnvelope,
  KeyRotation010 as KeyRotation,
  Metadata010 as Metadata,
  NamespaceOp010 as NamespaceOp,
  OpaqueSkeleton,
  RootOp010 as RootOp,
  SignatureData010 as SignatureData,
  SignedGroupOp010 as SignedGroupOp,
  SignedGroupOpenInvitation010 as SignedGroupOpenInvitation,
  SignedNamespaceOp010 as SignedNamespaceOp,
  StorageType010 as StorageType,
  StoredNamespaceEntry010 as StoredNamespaceEntry,
  UpgradePolicy,
} from "../payloads/index.js";
export { type Core010, core010, core010 as schema } from "../schemas/core-0.10.js";
export {
  ApplicationMetaValue010 as ApplicationMetaValue,
  BlobMetaValue010 as BlobMetaValue,
  ContextConfigValue,
  ContextDagDeltaValue010 as ContextDagDeltaValue,
  ContextIdentityValue010 as ContextIdentityValue,
  ContextMetaValue,
  GroupContextLastMigrationValue,
  GroupDefaultCapsValue,
  GroupDefaultVisValue,
  GroupKeyValue010 as GroupKeyValue,
  GroupMemberCapabilityValue,
  GroupMemberValue010 as GroupMemberValue,
  GroupMetaValue010 as GroupMetaValue,
  GroupOpHeadValue,
  GroupOpLogValue010 as GroupOpLogValue,
  GroupOwnerOpCounterValue,
  GroupSigningKeyValue,
  GroupUpgradeStatus,
  GroupUpgradeValue010 as GroupUpgradeValue,
  NamespaceGovHeadValue,
  NamespaceGovOpValue010 as NamespaceGovOpValue,
  NamespaceIdentityValue,
  SearchIndexValue,
  ServiceMeta,
} from "../values/index.js";
