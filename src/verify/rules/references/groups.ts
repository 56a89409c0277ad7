/** The references of groups and namespaces, and to them. */
import * as key from "../../../keys/index.js";
import { RESTORE, SYNC } from "../../advice.js";
import { refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";
import { only010, since010, since011 } from "../../since.js";

interface OfNamespace {
  readonly key: { readonly namespaceId: Uint8Array };
}

const partIn = {
  key: ({ key: { namespaceId } }: OfNamespace) => ({ namespaceId }),
  message: "the node has the namespace's operations, and no row of its own part in it",
  grouping: { id: ({ key }: OfNamespace) => key.namespaceId, show: "id" as const },
};

interface OfGroup {
  readonly key: { readonly groupId: Uint8Array };
}

const ofGroup = {
  to: key.GroupMeta,
  key: ({ key: { groupId } }: OfGroup) => ({ groupId }),
  grouping: { id: ({ key }: OfGroup) => key.groupId, show: "id" as const },
};

/** Rows that deleting a group may leave behind. */
const leftBehind = {
  ...ofGroup,
  message: "there is no such group: it was deleted, or this node is not in it",
  severity: "info" as const,
};

/** Rows that a node deletes before the group, and writes after it. */
const proving = { ...ofGroup, message: "the group is not there, and rows about it are that go before it" };
/** Rows that nodes of core-0.10 and of core-0.11 may leave behind. */
const ofGroups = [key.GroupOpLog, key.GroupOpHead, key.GroupContextMemberCap] as const;
/** If the namespace deletes a group, nodes of core-0.10 delete only the group's own row, and leave these behind. */
const ofGroups010 = [
  key.GroupUpgradeKey,
  key.GroupDefaultCaps,
  key.GroupMemberContext,
  key.GroupKeyEntry,
  key.GroupMember010,
  key.GroupSigningKey,
  key.GroupMemberCapability010,
  key.GroupDefaultVis,
  key.GroupContextLastMigration,
  key.GroupLocalGovNonce,
  key.GroupMemberAlias,
  key.GroupAlias,
  key.GroupContextAlias,
] as const;
const ofGroups011 = [
  key.GroupContextMetadata,
  key.GroupLocalGovNonceWindow,
  key.GroupAccountEndorser,
  key.GroupPendingDeviceRotation,
  key.GroupFleetCompletion,
  key.GroupMemberContext,
] as const;

/** Rows that a node of core-0.11 deletes before the group, however it is deleted. */
const proving011 = [
  key.GroupMember,
  key.GroupUpgradeKey,
  key.GroupMemberCapability,
  key.GroupReentryBlock,
  key.GroupConsumedInvitation,
  key.GroupDefaultCaps,
  key.GroupSubgroupVis,
  key.GroupMemberMetadata,
  key.GroupMetadata,
  key.GroupDeniedMember,
  key.GroupUpgradeLadder,
  key.GroupPendingKeyRotation,
  key.GroupInheritedDeniedMember,
  key.GroupDeviceBinding,
  key.GroupRevokedDevice,
  key.GroupAccountKey,
] as const;

export const groupChain = referenceRule({
  name: "group-chain",
  relations: [33],
  severity: "warning",
  says: "A group that has a parent is there, and so is the parent.",
  means: "A group of the namespace is unknown to this node: it was deleted, or has not arrived.",
  advice: SYNC,
  references: [
    refer({
      revisions: since010,
      from: key.GroupParentRef,
      to: key.GroupMeta,
      key: (row) => ({ groupId: row.key.childGroupId }),
      message: "the group is not there",
      shows: (_, to) => ({ expected: to.groupId }),
    }),
    refer({
      revisions: since010,
      from: key.GroupParentRef,
      to: key.GroupMeta,
      key: (row) => ({ groupId: row.value }),
      message: "its parent is not there",
      shows: (_, to) => ({ expected: to.groupId }),
    }),
  ],
});

export const namespaceCapabilities = referenceRule({
  name: "namespace-capabilities",
  relations: [34],
  severity: "error",
  says: "A namespace says what its new members may do.",
  means: "The node cannot tell which rights new members of the namespace get.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.NamespaceGovHead,
      to: key.GroupDefaultCaps,
      key: (row) => ({ groupId: row.key.namespaceId }),
      given: (row) => new key.GroupMeta({ groupId: row.key.namespaceId }),
      message: "the namespace has no row that says what its new members may do",
    }),
  ],
});

export const subgroupVisibility = referenceRule({
  name: "subgroup-visibility",
  relations: [33],
  severity: "error",
  says: "A subgroup says who can see it.",
  means: "The node cannot tell whether members of the namespace may see the subgroup.",
  advice: RESTORE,
  pairs: true,
  references: [
    // If its members delete a group, the row that names its parent stays.
    refer({
      revisions: since011,
      from: key.GroupParentRef,
      to: key.GroupSubgroupVis,
      key: (row) => ({ groupId: row.key.childGroupId }),
      given: (row) => new key.GroupMeta({ groupId: row.key.childGroupId }),
      message: "the subgroup has no row that says who can see it",
    }),
  ],
});

export const namespacePart = referenceRule({
  name: "namespace-part",
  relations: [42],
  severity: "error",
  says: "A node takes part in the namespaces whose operations it has: it keeps its identity there, or a mark.",
  means: "The node has the history of a namespace and no identity in it. It cannot act there.",
  advice: "Join the namespace again, or restore a copy of the database that has the row.",
  pairs: true,
  references: [
    refer({ ...partIn, revisions: only010, from: key.NamespaceGovOp, to: key.NamespaceIdentity }),
    refer({ ...partIn, revisions: only010, from: key.NamespaceGovHead, to: key.NamespaceIdentity }),
    refer({ ...partIn, revisions: since011, from: key.NamespaceGovOp, to: key.NamespaceParticipation }),
    refer({ ...partIn, revisions: since011, from: key.NamespaceGovHead, to: key.NamespaceParticipation }),
  ],
});

export const groupThere = referenceRule({
  name: "group-there",
  relations: [34],
  severity: "error",
  says: "A group that other rows are about is there. Deleting it leaves rows of some kinds behind.",
  means: "The group was deleted, or its own row was lost while others remained.",
  advice: "Nothing for an info. For others, restore a copy of the database that verifies.",
  pairs: true,
  references: [
    refer({ ...proving, revisions: since010, from: key.GroupContextIndex }),
    ...proving011.map((from) => refer({ ...proving, revisions: since011, from })),
    // A key may be handed to a node before or after the group is there.
    refer({
      ...proving,
      revisions: since011,
      from: key.GroupKeyEntry,
      message: "the group is not there, and a key of it is",
      severity: "warning",
    }),
    ...ofGroups.map((from) => refer({ ...leftBehind, revisions: since010, from })),
    ...ofGroups010.map((from) => refer({ ...leftBehind, revisions: only010, from })),
    ...ofGroups011.map((from) => refer({ ...leftBehind, revisions: since011, from })),
  ],
});

export const contextJoined = referenceRule({
  name: "context-joined",
  relations: [46],
  severity: "info",
  says: "The contexts of a group are there, if this node has joined them.",
  means: "The group has a context that this node does not take part in.",
  advice: "Nothing. Join the context if this node should have it.",
  references: [
    refer({
      revisions: since010,
      from: key.GroupContextIndex,
      to: key.ContextMeta,
      key: ({ key: { contextId } }) => ({ contextId }),
      message: "this node has not joined the context",
      shows: (row) => ({ found: row.key.contextId }),
    }),
  ],
});

export const contextMetadata = referenceRule({
  name: "context-metadata",
  relations: [45],
  severity: "warning",
  says: "A context that a group has a name or other metadata of is in the group: both are deleted together.",
  means: "The metadata is of a context that was moved to another group, or a row was lost.",
  advice: "Nothing if the context was moved. Otherwise let the node sync, then verify again.",
  references: [
    refer({
      revisions: since011,
      from: key.GroupContextMetadata,
      to: key.GroupContextIndex,
      key: ({ key: { groupId, contextId } }) => ({ groupId, contextId }),
      given: ({ key: { groupId } }) => new key.GroupMeta({ groupId }),
      message: "the group has metadata of a context that is not in it",
      shows: (row) => ({ found: row.key.contextId }),
    }),
  ],
});

export const nonceLog = referenceRule({
  name: "nonce-log",
  relations: [44],
  severity: "error",
  says: "A group that has seen operations has a log of them.",
  means: "The log of the group is missing.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupLocalGovNonceWindow,
      to: key.GroupOpHead,
      key: ({ key: { groupId } }) => ({ groupId }),
      message: "the group has seen operations of a signer, and has no log",
    }),
  ],
});
