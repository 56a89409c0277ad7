/** What is said about a group, its members and their contexts. */

import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import * as key from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { runsOfBatch } from "../batches.js";
import type { Broken } from "../finding.js";
import { on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { NOTHING } from "./advice.js";
import type { AnyCore } from "./entities.js";

const both = [core010, core011] as const;

type OfGroup = AsyncIterable<readonly { readonly key: key.AnyKey & { readonly groupId: Uint8Array } }[]>;

/** Finds the groups that are not there: one finding for all rows of a kind that are about the same group. */
async function* withoutGroup(
  batches: OfGroup,
  tools: Tools<AnyCore>,
  finding: Pick<Broken, "message" | "severity">,
): AsyncGenerator<Broken, void, undefined> {
  for await (const pieces of runsOfBatch(batches, (row) => row.key.groupId)) {
    const begun = pieces.filter(({ begins }) => begins);
    tools.checked(begun.length);
    for (const [{ id, rows }, { there }] of await tools.join(
      begun,
      ({ id }) => new key.GroupMeta({ groupId: id }),
    )) {
      if (!there && rows[0] !== undefined) yield { ...finding, key: rows[0].key, found: id, about: id };
    }
  }
}

/** Rows that deleting a group may leave behind. */
const leftBehind = (batches: OfGroup, tools: Tools<AnyCore>) =>
  withoutGroup(batches, tools, {
    message: "there is no such group: it was deleted, or this node is not in it",
    severity: "info",
  });

/** Rows that are deleted before the group, and written after it. */
const proving = (batches: OfGroup, tools: Tools<AnyCore>) =>
  withoutGroup(batches, tools, {
    message: "the group is not there, and rows about it are that go before it",
  });

const ofGroups = [
  key.GroupUpgradeKey,
  key.GroupDefaultCaps,
  key.GroupOpLog,
  key.GroupOpHead,
  key.GroupMemberContext,
  key.GroupContextMemberCap,
  key.GroupKeyEntry,
] as const;
const ofGroups010 = [
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
  key.GroupMemberCapability,
  key.GroupReentryBlock,
  key.GroupConsumedInvitation,
  key.GroupMemberMetadata,
  key.GroupMetadata,
  key.GroupContextMetadata,
  key.GroupDeniedMember,
  key.GroupLocalGovNonceWindow,
  key.GroupUpgradeLadder,
  key.GroupPendingKeyRotation,
  key.GroupInheritedDeniedMember,
  key.GroupRevokedDevice,
  key.GroupAccountEndorser,
  key.GroupPendingDeviceRotation,
  key.GroupFleetCompletion,
] as const;

const provingGroups = [
  key.GroupMember,
  key.GroupSubgroupVis,
  key.GroupDeviceBinding,
  key.GroupAccountKey,
] as const;

const groupThere: Rule = {
  name: "group-there",
  relations: [34],
  severity: "error",
  says: "A group with contexts or (core-0.11) members is there; deleting it leaves other rows behind.",
  means: "The group was deleted, or its own row was lost while others remained.",
  advice: "Nothing for an info. For others, restore a copy of the database that verifies.",
  pairs: true,
  checks: [
    on(both, key.GroupContextIndex, proving),
    ...provingGroups.map((kind) => on([core011], kind, proving)),
    ...ofGroups.map((kind) => on(both, kind, leftBehind)),
    ...ofGroups010.map((kind) => on([core010], kind, leftBehind)),
    ...ofGroups011.map((kind) => on([core011], kind, leftBehind)),
  ],
};

const groupAdmin: Rule = {
  name: "group-admin",
  relations: [35],
  severity: "error",
  says: "The administrator of a group is a member with that role; since core-0.11 its owner is a member too.",
  means: "The administrator or owner of the group is not among its members.",
  advice: "Nothing for an info. For others, let the node sync, then verify again.",
  pairs: true,
  checks: [
    on([core010], key.GroupMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there, value }] of await tools.join(
          rows,
          (row) => new key.GroupMember010({ groupId: row.key.groupId, identity: row.value.adminIdentity }),
        )) {
          if (!there || (value !== undefined && value.role !== "Admin")) yield notAdmin(row.key, row.value);
        }
      }
    }),
    on([core011], key.GroupMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        const leaders = rows.flatMap((row) => {
          const { adminIdentity, ownerIdentity } = row.value;
          const admin = { ...row, account: adminIdentity, isAdmin: true };
          if (equalBytes(adminIdentity, ownerIdentity)) return [admin];
          return [admin, { ...row, account: ownerIdentity, isAdmin: false }];
        });
        tools.checked(leaders.length);
        const place = ({ key: { groupId }, account }: (typeof leaders)[number]) => ({ groupId, account });
        const members = await tools.find(leaders.map((leader) => new key.GroupMember(place(leader))));
        const blocks = await tools.find(leaders.map((leader) => new key.GroupReentryBlock(place(leader))));
        for (const [at, leader] of leaders.entries()) {
          const { there = false, value } = members[at] ?? {};
          if (!there && !isPlaceholder(leader.account) && blocks[at]?.there === false)
            yield {
              key: leader.key,
              message: `the ${leader.isAdmin ? "administrator" : "owner"} of the group is no member, and was not removed`,
              found: leader.account,
              about: concat(leader.key.groupId, leader.account),
            };
          else if (leader.isAdmin && (!there || (value !== undefined && value.role !== "Admin")))
            yield notAdmin(leader.key, leader.value);
        }
      }
    }),
  ],
};

/** A group that the node only heard of has zeros for its administrator and owner. */
function isPlaceholder(account: Uint8Array): boolean {
  return account.every((byte) => byte === 0);
}

function notAdmin(of: key.GroupMeta, { adminIdentity }: { readonly adminIdentity: Uint8Array }): Broken {
  const message = "the administrator is no member with that role: it was named without one, or not yet";
  return { key: of, message, found: adminIdentity, severity: "info" };
}

const memberContext: Rule = {
  name: "member-context",
  relations: [45],
  severity: "info",
  says: "A member's identity in a context is there, and the context is in the group.",
  means: "A member's identity in a context remains after the member or the context left the group.",
  advice: NOTHING,
  checks: [
    on(both, key.GroupMemberContext, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        const listed = await tools.find(
          rows.map(({ key: { groupId, contextId } }) => new key.GroupContextIndex({ groupId, contextId })),
        );
        const identities = await tools.find(
          rows.map((row) => new key.ContextIdentity({ contextId: row.key.contextId, publicKey: row.value })),
        );
        for (const [at, row] of rows.entries()) {
          if (listed[at]?.there === false)
            yield {
              key: row.key,
              message: "the context is not in the group, or no more",
              found: row.key.contextId,
            };
          if (identities[at]?.there === false)
            yield { key: row.key, message: "the identity is not in the context", found: row.value };
        }
      }
    }),
  ],
};

const contextMember: Rule = {
  name: "context-member",
  relations: [45],
  severity: "info",
  says: "Who has capabilities in a context is a member of its group.",
  means: "Rights of a former member remain. They have no effect.",
  advice: NOTHING,
  checks: [
    on([core010], key.GroupContextMemberCap, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          ({ key: { groupId, member } }) => new key.GroupMember010({ groupId, identity: member }),
        )) {
          if (!there) yield notMember(row.key);
        }
      }
    }),
    on([core011], key.GroupContextMemberCap, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          ({ key: { groupId, member } }) => new key.GroupMember({ groupId, account: member }),
        )) {
          if (!there) yield notMember(row.key);
        }
      }
    }),
  ],
};

function notMember(of: key.GroupContextMemberCap): Broken {
  return { key: of, message: "it is no member of the group, or no more", found: of.member };
}

const contextJoined: Rule = {
  name: "context-joined",
  relations: [46],
  severity: "info",
  says: "The contexts of a group are there, if this node has joined them.",
  means: "The group has a context that this node does not take part in.",
  advice: "Nothing. Join the context if this node should have it.",
  checks: [
    on(both, key.GroupContextIndex, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          ({ key: { contextId } }) => new key.ContextMeta({ contextId }),
        )) {
          const message = "this node has not joined the context";
          if (!there) yield { key: row.key, message, found: row.key.contextId };
        }
      }
    }),
  ],
};

const upgradeCounts: Rule = {
  name: "upgrade-counts",
  relations: [46],
  severity: "warning",
  says: "An upgrade has not gone through more contexts than there are.",
  means: "The progress of an upgrade is not counted correctly.",
  advice: "Check that all contexts of the group run the new version.",
  checks: [
    onEach([core010], key.GroupUpgradeKey, function* (row, tools) {
      const { status } = row.value;
      if (status.kind !== "InProgress") return;
      tools.checked();
      const { total, completed, failed } = status;
      if (completed + failed > total) {
        const message = "more contexts are through the upgrade than there are";
        yield { key: row.key, message, found: completed + failed, expected: `at most ${total}` };
      }
    }),
  ],
};

export const groupRules: readonly Rule[] = [
  groupThere,
  groupAdmin,
  memberContext,
  contextMember,
  contextJoined,
  upgradeCounts,
];
