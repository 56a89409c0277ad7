import { b32, identity, secret, textual, u8, u64, unit } from "../codec/index.js";
import * as key from "../keys/index.js";
import * as payload from "../payloads/index.js";
import * as value from "../values/index.js";
import { indexRows, plainAliases, scopes, sourceUrl } from "./row-options.js";
import { defineSchema, row, type Schema } from "./schema.js";

const rows = [
  row(key.ContextMeta, value.ContextMetaValue),
  row(key.ContextConfig, value.ContextConfigValue),
  row(key.ContextIdentity, value.ContextIdentityValue),
  row(key.ContextState011, identity, { ...indexRows(payload.EntityIndex011), privateApart: true }),
  row(key.ContextPrivateState011, secret(identity), indexRows(payload.EntityIndex011)),
  row(key.ContextDagDelta, value.ContextDagDeltaValue011, { privateApart: true }),
  row(key.BlobMeta, value.BlobMetaValue),
  row(key.ApplicationMeta, value.ApplicationMetaValue, sourceUrl),
  row(key.Alias, b32, plainAliases),
  row(key.Generic, textual(identity), scopes),
  row(key.GroupMeta, value.GroupMetaValue),
  row(key.GroupMember, value.GroupMemberValue011),
  row(key.GroupContextIndex, unit),
  row(key.ContextGroupRef, b32),
  row(key.GroupUpgradeKey, value.GroupUpgradeValue011),
  row(key.GroupMemberCapability, value.GroupMemberCapabilityValue),
  row(key.GroupReentryBlock, value.GroupReentryBlockValue),
  row(key.GroupConsumedInvitation, unit),
  row(key.GroupDefaultCaps, value.GroupDefaultCapsValue),
  row(key.GroupSubgroupVis, value.GroupSubgroupVisValue),
  row(key.GroupMemberMetadata, value.MetadataRecord),
  row(key.GroupMetadata, value.MetadataRecord),
  row(key.GroupContextMetadata, value.MetadataRecord),
  row(key.GroupOpLog, value.GroupOpLogValue011),
  row(key.GroupOpHead, value.GroupOpHeadValue),
  row(key.GroupMemberContext, b32),
  row(key.GroupContextMemberCap, u8),
  row(key.GroupParentRef, b32),
  row(key.GroupChildIndex, unit),
  row(key.NamespaceParticipation, value.NamespaceParticipationValue),
  row(key.ContextServiceName, value.ContextServiceNameValue),
  row(key.NamespaceGovOp, value.NamespaceGovOpValue011, { operations: payload.operations011 }),
  row(key.NamespaceGovHead, value.NamespaceGovHeadValue),
  row(key.GroupKeyEntry, value.GroupKeyValue),
  row(key.GroupDeniedMember, unit),
  row(key.GroupLocalGovNonceWindow, value.GroupLocalGovNonceWindowValue),
  row(key.PendingSelfPurge, unit),
  row(key.GroupUpgradeLadder, value.UpgradeLadderValue011),
  row(key.GroupPendingKeyRotation, unit),
  row(key.GroupInheritedDeniedMember, unit),
  row(key.GroupDeviceBinding, value.GroupDeviceBindingValue011),
  row(key.GroupRevokedDevice, unit),
  row(key.GroupAccountKey, value.GroupAccountKeyValue),
  row(key.NodeDeviceIdentity, value.NodeDeviceIdentityValue),
  row(key.NodeAccountRoot, value.NodeAccountRootValue),
  row(key.GroupAccountEndorser, unit),
  row(key.NamespaceBootstrapInviter, b32),
  row(key.NodeIdentity, value.NodeIdentityValue),
  row(key.GroupPendingDeviceRotation, unit),
  row(key.GroupFleetCompletion, u64),
  row(key.ContextAuthoredRemaining, value.ContextAuthoredRemainingValue),
  row(key.ContextLeftMarker, value.ContextLeftMarkerValue),
  row(key.SortedIndex, b32),
  row(key.SortedIndexMeta, b32),
  row(key.AbsorbBufferKey, value.AbsorbBufferValue011),
  row(key.ContextMigrationFailed, value.ContextMigrationFailedValue),
  row(key.ContextExecutingBlob, value.ContextExecutingBlobValue),
  row(key.ContextActivatedBlob, value.ContextActivatedBlobValue),
  row(key.ContextActivatedStateVersion, value.ContextActivatedStateVersionValue),
  row(key.ApplicationPreviousBlob, value.ApplicationPreviousBlobValue),
  row(key.ContextResyncRequested, unit),
  row(key.ScopeUnifiedOp, value.ScopeUnifiedOpValue011),
] as const;

/** The type of {@link core011}. */
export interface Core011 extends Schema<(typeof rows)[number]> {}

/** The schema of nodes of version 0.11.0-rc.25: 22 column families, 40 kinds of rows in Group. */
export const core011: Core011 = defineSchema("core-0.11", rows, {
  others: [payload.RotationLogEntry],
  module: "merostore/core-0.11",
  release: "0.11.0-rc.25",
});
