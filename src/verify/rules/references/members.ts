/** The references of members, accounts and devices, and to them. */
import { concat } from "../../../bytes/concat.js";
import * as key from "../../../keys/index.js";
import { NOTHING, RESTORE, SYNC } from "../../advice.js";
import { refer } from "../../reference.js";
import { referenceRule } from "../../reference-check.js";
import { only010, since010, since011 } from "../../since.js";

interface OfMember {
  readonly key: { readonly groupId: Uint8Array; readonly account: Uint8Array };
}

const memberOf = ({ key: { groupId, account } }: OfMember) => ({ groupId, account });

export const memberContext = referenceRule({
  name: "member-context",
  relations: [45],
  severity: "info",
  says: "A member's identity in a context is there, and the context is in the group.",
  means: "A member's identity in a context remains after the member or the context left the group.",
  advice: NOTHING,
  references: [
    refer({
      revisions: since010,
      from: key.GroupMemberContext,
      to: key.GroupContextIndex,
      key: ({ key: { groupId, contextId } }) => ({ groupId, contextId }),
      message: "the context is not in the group, or no more",
      shows: (row) => ({ found: row.key.contextId }),
    }),
    refer({
      revisions: since010,
      from: key.GroupMemberContext,
      to: key.ContextIdentity,
      key: (row) => ({ contextId: row.key.contextId, publicKey: row.value }),
      message: "the identity is not in the context",
      shows: (row) => ({ found: row.value }),
    }),
  ],
});

export const contextMember = referenceRule({
  name: "context-member",
  relations: [45],
  severity: "info",
  says: "An account with capabilities in a context is a member of the context's group.",
  means: "Rights remain after the member or the context left the group. They have no effect.",
  advice: NOTHING,
  references: [
    refer({
      revisions: only010,
      from: key.GroupContextMemberCap,
      to: key.GroupMember010,
      key: ({ key: { groupId, member } }) => ({ groupId, identity: member }),
      message: "it is not, or no longer, a member of the group",
      shows: (row) => ({ found: row.key.member }),
    }),
    refer({
      revisions: since011,
      from: key.GroupContextMemberCap,
      to: key.GroupMember,
      key: ({ key: { groupId, member } }) => ({ groupId, account: member }),
      message: "it is not, or no longer, a member of the group",
      shows: (row) => ({ found: row.key.member }),
    }),
    refer({
      revisions: since010,
      from: key.GroupContextMemberCap,
      to: key.GroupContextIndex,
      key: ({ key: { groupId, contextId } }) => ({ groupId, contextId }),
      message: "the context is not in the group, or no more",
      shows: (row) => ({ found: row.key.contextId }),
    }),
  ],
});

export const memberCapability = referenceRule({
  name: "member-capability",
  relations: [45],
  severity: "error",
  says: "An account with capabilities in a group is a member of it: a node deletes both rows.",
  means: "Rights remain of an account whose membership row is missing.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupMemberCapability,
      to: key.GroupMember,
      key: memberOf,
      message: "who has the capabilities is not a member of the group",
    }),
  ],
});

export const usedInvitation = referenceRule({
  name: "used-invitation",
  relations: [45],
  severity: "error",
  says: "An account that used an invitation to a group is a member of it, or was one.",
  means: "Somebody joined by an invitation, and the membership row is missing.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupConsumedInvitation,
      to: key.GroupMember,
      key: memberOf,
      instead: (row) => [new key.GroupReentryBlock(memberOf(row))],
      message: "who used the invitation is not a member of the group, and neither left nor was removed",
    }),
  ],
});

export const removedMember = referenceRule({
  name: "removed-member",
  relations: [48],
  severity: "error",
  says: "Rows about the removal of a member are there together.",
  means: "A removed member may be able to join again, or is not denied everywhere.",
  advice: "Let the node sync, then verify again. If the finding stays, remove the member again.",
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupDeniedMember,
      to: key.GroupReentryBlock,
      key: memberOf,
      message: "the account was removed or left, and nothing keeps it from joining again",
    }),
    refer({
      revisions: since011,
      from: key.GroupDeniedMember,
      to: key.GroupInheritedDeniedMember,
      key: memberOf,
      given: (row) => new key.NamespaceParticipation({ namespaceId: row.key.groupId }),
      message: "the account was removed from the namespace, and not from its open subgroups",
    }),
    // The member that answers a join only adds the new member and deletes the denials.
    refer({
      revisions: since011,
      from: key.GroupReentryBlock,
      to: key.GroupDeniedMember,
      key: memberOf,
      instead: (row) => [new key.GroupMember(memberOf(row))],
      message: "the account was removed or left, and the group does not deny it",
      severity: "warning",
    }),
    refer({
      revisions: since011,
      from: key.GroupInheritedDeniedMember,
      to: key.GroupDeniedMember,
      key: memberOf,
      instead: (row) => [new key.GroupMember(memberOf(row))],
      message: "the account was removed from the namespace, and its root group does not deny it",
      severity: "warning",
    }),
  ],
});

export const deviceAccount = referenceRule({
  name: "device-account",
  relations: [47],
  severity: "error",
  says: "A device that a group knows belongs to an account that it knows.",
  means: "A device is known, and the account behind it is missing. What it signs cannot be attributed.",
  advice: RESTORE,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupDeviceBinding,
      to: key.GroupAccountKey,
      key: (row) => ({ groupId: row.key.groupId, accountId: row.value.account }),
      message: "the group does not know the device's account",
      shows: (row) => ({ found: row.value.account, about: concat(row.key.groupId, row.value.account) }),
    }),
  ],
});

export const revokedDevice = referenceRule({
  name: "revoked-device",
  relations: [48],
  severity: "error",
  says: "The group's key waits to be changed for devices that were revoked.",
  means: "The group waits to change its key for a device that nobody revoked.",
  advice: SYNC,
  pairs: true,
  references: [
    refer({
      revisions: since011,
      from: key.GroupPendingDeviceRotation,
      to: key.GroupRevokedDevice,
      key: ({ key: { groupId, device } }) => ({ groupId, deviceId: device }),
      given: (row) => new key.GroupMeta({ groupId: row.key.groupId }),
      message: "the group's key is to be changed because of a device that was not revoked",
    }),
  ],
});

export const memberIndex = referenceRule({
  name: "member-index",
  relations: [45],
  severity: "warning",
  says: "Since core-1.0 each member and each device is found from the other side too, once the node has made these rows.",
  means: "The node does not find all groups of an account, or the device behind a key.",
  advice: SYNC,
  references: [
    refer({
      revisions: since011,
      from: key.GroupMember,
      to: key.GroupMemberByAccount,
      key: memberOf,
      given: () => new key.GroupMemberIndexBackfilled({ reserved: new Uint8Array(32) }),
      message: "the member is not found by its account",
    }),
    refer({
      revisions: since011,
      from: key.GroupMemberByAccount,
      to: key.GroupMember,
      key: memberOf,
      message: "the account is not a member of the group",
    }),
    // Nodes before 0.11.0-rc.79 wrote no rows of devices by key, and their rows of accounts by key do not name the
    // account.
    refer({
      revisions: since011,
      from: key.GroupDeviceBinding,
      to: key.GroupSignerDevice,
      key: ({ key: { groupId, deviceId }, value: { signPk: signer } }) => ({ groupId, signer, deviceId }),
      message: "the device is not found by its key: a node before 0.11.0-rc.79 bound it, or a row was lost",
      severity: "info",
    }),
    refer({
      revisions: since011,
      from: key.GroupDeviceBinding,
      to: key.GroupSignerAccount,
      key: ({ key: { groupId }, value: { signPk: signer, account } }) => ({ groupId, signer, account }),
      message: "the account is not found by the device's key: an older node bound it, or a row was lost",
      severity: "info",
    }),
    refer({
      revisions: since011,
      from: key.GroupSignerDevice,
      to: key.GroupDeviceBinding,
      key: ({ key: { groupId, deviceId } }) => ({ groupId, deviceId }),
      instead: ({ key: { groupId, deviceId } }) => [new key.GroupRevokedDevice({ groupId, deviceId })],
      message: "the group does not know the device of the key",
    }),
  ],
});
