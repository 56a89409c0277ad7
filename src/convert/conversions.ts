/** The conversion of each kind of row of core-0.10. A kind without one does not compile. */
import { Column } from "../columns/index.js";
import type { Core010, KindsOf } from "../schemas/index.js";
import * as context from "./context-rows.js";
import { copied } from "./context-rows.js";
import type { ConversionOf } from "./conversion.js";
import * as group from "./group-rows.js";

/** One conversion for each kind. */
export type Conversions = { readonly [K in KindsOf<Core010>]: ConversionOf<K> };

const inGroup = (means: string) => copied({ column: Column.Group, means });

export const conversions: Conversions = {
  ContextMeta: context.contextMeta,
  ContextConfig: copied({ column: Column.Config, means: "Counters of contexts are read." }),
  ContextIdentity: context.contextIdentity,
  ContextState: context.contextState,
  ContextPrivateState: context.contextPrivateState,
  ContextDagDelta: context.contextDagDelta,
  BlobMeta: context.blobMeta,
  ApplicationMeta: context.applicationMeta,
  Alias: copied({
    column: Column.Alias,
    means:
      "Aliases are read. One that is empty or has other characters than letters, digits, dot, hyphen and underscore cannot be used any more.",
  }),
  Generic: copied({ column: Column.Generic, means: "Settings of the node are read." }),
  GroupMeta: group.groupMeta,
  GroupMember: group.groupMember,
  GroupContextIndex: inGroup("Contexts of groups are listed."),
  ContextGroupRef: inGroup("The group of a context is found."),
  GroupUpgradeKey: group.groupUpgradeKey,
  GroupSigningKey: group.groupSigningKey,
  GroupMemberCapability: group.groupMemberCapability,
  GroupDefaultCaps: inGroup("Default capabilities of groups are read."),
  GroupDefaultVis: inGroup("Visibilities are read, as those of subgroups."),
  GroupContextLastMigration: group.groupContextLastMigration,
  GroupLocalGovNonce: group.groupLocalGovNonce,
  GroupMemberAlias: group.groupMemberAlias,
  GroupAlias: group.groupAlias,
  GroupContextAlias: group.groupContextAlias,
  GroupOpLog: group.groupOpLog,
  GroupOpHead: group.groupOpHead,
  GroupMemberContext: group.groupMemberContext,
  GroupContextMemberCap: group.groupContextMemberCap,
  GroupParentRef: inGroup("The parent of a subgroup is found."),
  GroupChildIndex: inGroup("Subgroups are listed."),
  NamespaceIdentity: group.namespaceIdentity,
  NamespaceGovOp: group.namespaceGovOp,
  NamespaceGovHead: group.namespaceGovHead,
  GroupKeyEntry: group.groupKeyEntry,
};
