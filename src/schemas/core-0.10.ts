import { b32, identity, secret, str, textual, u8, u64, unit } from "../codec/index.js";
import * as key from "../keys/index.js";
import * as payload from "../payloads/index.js";
import * as value from "../values/index.js";
import { indexRows, scopes, sourceUrl } from "./row-options.js";
import { defineSchema, row, type Schema } from "./schema.js";

const rows = [
  row(key.ContextMeta, value.ContextMetaValue),
  row(key.ContextConfig, value.ContextConfigValue),
  row(key.ContextIdentity, value.ContextIdentityValue010),
  row(key.ContextState011, identity, indexRows(payload.EntityIndex010)),
  row(key.ContextPrivateState011, secret(identity), indexRows(payload.EntityIndex010)),
  row(key.ContextDagDelta, value.ContextDagDeltaValue010),
  row(key.BlobMeta, value.BlobMetaValue010),
  row(key.ApplicationMeta, value.ApplicationMetaValue010, sourceUrl),
  row(key.Alias, b32),
  row(key.Generic, textual(identity), scopes),
  row(key.GroupMeta, value.GroupMetaValue010),
  row(key.GroupMember010, value.GroupMemberValue010),
  row(key.GroupContextIndex, unit),
  row(key.ContextGroupRef, b32),
  row(key.GroupUpgradeKey, value.GroupUpgradeValue010),
  row(key.GroupSigningKey, value.GroupSigningKeyValue),
  row(key.GroupMemberCapability010, value.GroupMemberCapabilityValue),
  row(key.GroupDefaultCaps, value.GroupDefaultCapsValue),
  row(key.GroupDefaultVis, value.GroupDefaultVisValue),
  row(key.GroupContextLastMigration, value.GroupContextLastMigrationValue),
  row(key.GroupLocalGovNonce, u64),
  row(key.GroupMemberAlias, str),
  row(key.GroupAlias, str),
  row(key.GroupContextAlias, str),
  row(key.GroupOpLog, value.GroupOpLogValue010),
  row(key.GroupOpHead, value.GroupOpHeadValue),
  row(key.GroupMemberContext, b32),
  row(key.GroupContextMemberCap, u8),
  row(key.GroupParentRef, b32),
  row(key.GroupChildIndex, unit),
  row(key.NamespaceIdentity, value.NamespaceIdentityValue),
  row(key.NamespaceGovOp, value.NamespaceGovOpValue010, { operations: payload.operations010 }),
  row(key.NamespaceGovHead, value.NamespaceGovHeadValue),
  row(key.GroupKeyEntry, value.GroupKeyValue010),
] as const;

/** The type of {@link core010}. */
export interface Core010 extends Schema<(typeof rows)[number]> {}

/** The schema of nodes of version 0.10.1-rc.18 and rc.19: eleven column families, 24 kinds of rows in Group. */
export const core010: Core010 = defineSchema("core-0.10", rows, {
  module: "merostore/core-0.10",
  release: "0.10.1-rc.19",
});
