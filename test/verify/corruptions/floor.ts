/**
 * The least severity with which verification reports a corruption, by kind of row and deed, in the order of `DEEDS`;
 * "-" for an impossible deed. It holds for all rows and fields, and most corruptions are reported more severely.
 *
 * "none" has one of these reasons. Only the operations that wrote the row prove it: members, roles, capabilities,
 * visibility, metadata, denials, numbers of operations, epochs of keys, and the order of operations of other nodes. The
 * row is the node's own, or a name that a person gave: Alias, Generic, ContextConfig, ContextPrivateState, GroupAlias.
 * Nothing refers to the field: times, sources, packages. A deletion or a join leaves such rows: rows of core-0.10 about
 * groups, traces of deleted entities.
 */
import type { Outcome } from "./run.js";

type Floor = Readonly<Record<string, readonly (Outcome | "-")[]>>;

/** Rows with the same floor in both revisions. */
const both: Floor = {
  Alias: ["none", "none", "none", "none", "none", "-"],
  BlobMeta: ["warning", "none", "error", "-", "error", "-"],
  ContextConfig: ["warning", "none", "-", "-", "warning", "-"],
  ContextDagDelta: ["warning", "none", "error", "error", "info", "warning"],
  ContextGroupRef: ["warning", "warning", "error", "-", "warning", "-"],
  ContextMeta: ["warning", "warning", "error", "-", "error", "-"],
  "ContextState, data": ["error", "error", "error", "none", "warning", "error"],
  "ContextState, index": ["error", "none", "error", "error", "error", "error"],
  "ContextState, index of what is deleted": ["none", "none", "error", "error", "warning", "none"],
  GroupContextIndex: ["warning", "-", "-", "warning", "warning", "warning"],
  NamespaceGovOp: ["warning", "error", "error", "error", "error", "error"],
};

export const floor: Readonly<Record<string, Floor>> = {
  "core-0.10": {
    ...both,
    ApplicationMeta: ["warning", "none", "info", "-", "info", "-"],
    ContextIdentity: ["none", "none", "error", "info", "warning", "info"],
    "ContextPrivateState, data of no entity": ["none", "none", "-", "none", "info", "none"],
    GroupAlias: ["none", "none", "none", "-", "info", "-"],
    GroupContextAlias: ["none", "none", "-", "none", "info", "none"],
    GroupDefaultCaps: ["none", "none", "-", "-", "info", "none"],
    GroupDefaultVis: ["none", "none", "-", "-", "info", "none"],
    GroupKeyEntry: ["warning", "none", "error", "error", "info", "warning"],
    GroupLocalGovNonce: ["none", "none", "warning", "none", "info", "none"],
    GroupMember: ["info", "none", "info", "none", "info", "info"],
    GroupMemberCapability: ["none", "none", "-", "none", "info", "none"],
    GroupMeta: ["none", "none", "none", "-", "info", "-"],
    GroupOpHead: ["warning", "error", "error", "-", "error", "error"],
    GroupOpLog: ["error", "error", "error", "error", "error", "error"],
    GroupSigningKey: ["info", "error", "error", "error", "info", "info"],
    NamespaceGovHead: ["warning", "none", "error", "-", "warning", "-"],
    NamespaceIdentity: ["none", "none", "warning", "-", "info", "-"],
  },
  "core-0.11": {
    ...both,
    ApplicationMeta: ["warning", "none", "info", "-", "none", "-"],
    ContextActivatedBlob: ["none", "warning", "warning", "-", "info", "warning"],
    ContextIdentity: ["none", "-", "-", "warning", "warning", "warning"],
    "ContextPrivateState, data": ["error", "error", "error", "none", "info", "error"],
    "ContextPrivateState, data of no entity": ["none", "none", "error", "none", "info", "none"],
    "ContextPrivateState, index": ["warning", "none", "error", "error", "error", "error"],
    Generic: ["none", "none", "none", "none", "none", "none"],
    GroupAccountEndorser: ["warning", "-", "-", "warning", "info", "warning"],
    GroupAccountKey: ["warning", "error", "error", "error", "warning", "warning"],
    GroupChildIndex: ["warning", "-", "-", "warning", "warning", "warning"],
    GroupConsumedInvitation: ["none", "-", "-", "none", "warning", "none"],
    GroupContextMetadata: ["none", "none", "-", "warning", "info", "warning"],
    GroupDefaultCaps: ["warning", "none", "-", "-", "warning", "warning"],
    GroupDeniedMember: ["warning", "-", "-", "warning", "warning", "warning"],
    GroupDeviceBinding: ["warning", "none", "error", "none", "warning", "warning"],
    GroupInheritedDeniedMember: ["warning", "-", "-", "warning", "warning", "warning"],
    GroupKeyEntry: ["none", "none", "error", "error", "warning", "none"],
    GroupLocalGovNonceWindow: ["warning", "none", "warning", "none", "warning", "warning"],
    GroupMember: ["none", "none", "info", "none", "warning", "none"],
    GroupMemberCapability: ["none", "none", "-", "warning", "warning", "none"],
    GroupMeta: ["warning", "none", "none", "-", "warning", "-"],
    GroupMetadata: ["none", "none", "none", "-", "warning", "none"],
    GroupOpHead: ["warning", "error", "error", "-", "error", "-"],
    GroupOpLog: ["error", "warning", "none", "error", "error", "error"],
    GroupParentRef: ["warning", "warning", "-", "-", "warning", "error"],
    GroupReentryBlock: ["warning", "none", "none", "warning", "warning", "warning"],
    GroupSubgroupVis: ["warning", "none", "none", "-", "warning", "warning"],
    NamespaceBootstrapInviter: ["none", "warning", "-", "-", "warning", "-"],
    NamespaceGovHead: ["warning", "warning", "error", "-", "warning", "-"],
    NamespaceParticipation: ["warning", "warning", "-", "-", "warning", "-"],
    NodeAccountRoot: ["warning", "error", "error", "-", "-", "-"],
    NodeDeviceIdentity: ["error", "error", "error", "-", "-", "-"],
    NodeIdentity: ["error", "error", "error", "-", "-", "-"],
    ScopeUnifiedOp: ["warning", "none", "error", "error", "error", "error"],
    SortedIndex: ["warning", "error", "error", "error", "info", "warning"],
    SortedIndexMeta: ["none", "none", "-", "none", "info", "none"],
  },
};
