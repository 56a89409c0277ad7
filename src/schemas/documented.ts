import { b32, bytes, identity, secret, str, textual, u8, u64, unit } from "../codec/index.js";
import * as key from "../keys/index.js";
import * as payload from "../payloads/index.js";
import * as value from "../values/index.js";
import { scopes } from "./row-options.js";
import { defineSchema, row, type Schema } from "./schema.js";

const rows = [
  row(key.ContextMeta, value.ContextMetaValueDocumented),
  row(key.ContextConfig, value.ContextConfigValue),
  row(key.ContextIdentityDocumented, value.ContextIdentityValue010),
  row(key.ContextStateDocumented, identity),
  row(key.ContextPrivateStateDocumented, secret(identity)),
  row(key.ContextDagDelta, value.ContextDagDeltaValueDocumented),
  row(key.BlobMeta, value.BlobMetaValue010),
  row(key.ApplicationMeta, value.ApplicationMetaValue010),
  row(key.Alias, b32),
  row(key.Generic, textual(identity), scopes),
  row(key.GroupMeta, value.GroupMetaValueDocumented),
  row(key.GroupMember010, payload.GroupMemberRole010),
  row(key.GroupContextIndex, unit),
  row(key.ContextGroupRef, b32),
  row(key.GroupUpgradeKey, value.GroupUpgradeValueDocumented),
  row(key.GroupSigningKeyDocumented, value.GroupSigningKeyValue),
  row(key.GroupMemberCapability010, value.GroupMemberCapabilityValue),
  row(key.GroupDefaultCaps, value.GroupDefaultCapsValue),
  row(key.GroupContextLastMigration, value.GroupContextLastMigrationValue),
  row(key.GroupLocalGovNonce, u64),
  row(key.GroupMemberAlias, str),
  row(key.GroupAlias, str),
  row(key.GroupContextAlias, str),
  row(key.GroupOpLog, bytes),
  row(key.GroupOpHead, value.GroupOpHeadValue),
  row(key.GroupMemberContext, b32),
  row(key.GroupContextMemberCap, u8),
  row(key.GroupChildIndex, unit),
  row(key.GroupParentRefDocumented, b32),
  row(key.NamespaceIdentityDocumented, value.NamespaceIdentityValue),
  row(key.NamespaceGovOp, value.NamespaceGovOpValueDocumented, { operations: payload.operations010 }),
  row(key.NamespaceGovHead, value.NamespaceGovHeadValue),
  row(key.GroupKeyEntry, secret(bytes)),
] as const;

/** The type of {@link documented}. */
export interface Documented extends Schema<(typeof rows)[number]> {}

/**
 * The literal schema of the Storage Schema document, which no node writes: eleven column families, 23 kinds of rows in
 * Group. The document does not define Blobs, Application, Alias and Generic; their rows come from `core-0.10`.
 */
export const documented: Documented = defineSchema("documented", rows, {
  module: "merostore/documented",
});
