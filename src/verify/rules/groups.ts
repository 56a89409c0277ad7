/** What is said about a group, its members and their contexts. */
import * as key from "../../keys/index.js";
import { core010, core011 } from "../../schemas/index.js";
import { inPieces } from "../batches.js";
import type { Broken } from "../finding.js";
import { on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import type { EitherRows } from "./entities.js";

const both = [core010, core011] as const;

/** One finding for all rows of a kind that are about the same group. */
async function* withoutGroup(
  batches: AsyncIterable<readonly { readonly key: key.AnyKey & { readonly groupId: Uint8Array } }[]>,
  tools: Tools<EitherRows>,
): AsyncGenerator<Broken, void, undefined> {
  for await (const pieces of inPieces(batches, (row) => row.key.groupId)) {
    const begun = pieces.filter(({ begins }) => begins);
    tools.checked(begun.length);
    for (const [{ id, rows }, { there }] of await tools.join(
      begun,
      ({ id }) => new key.GroupMeta({ groupId: id }),
    )) {
      const message = "there is no such group: it was deleted, or this node is not in it";
      if (!there && rows[0] !== undefined) yield { key: rows[0].key, message, found: id };
    }
  }
}

const ofGroups = [
  key.GroupContextIndex,
  key.GroupUpgradeKey,
  key.GroupDefaultCaps,
  key.GroupOpLog,
  key.GroupOpHead,
  key.GroupMemberContext,
  key.GroupContextMemberCap,
  key.GroupKeyEntry,
] as const;
const ofGroups010 = [
  key.GroupMember,
  key.GroupSigningKey,
  key.GroupMemberCapability,
  key.GroupDefaultVis,
  key.GroupContextLastMigration,
  key.GroupLocalGovNonce,
  key.GroupMemberAlias,
  key.GroupAlias,
  key.GroupContextAlias,
] as const;
const ofGroups011 = [
  key.GroupMember011,
  key.GroupMemberCapability011,
  key.GroupReentryBlock,
  key.GroupConsumedInvitation,
  key.GroupSubgroupVis,
  key.GroupMemberMetadata,
  key.GroupMetadata,
  key.GroupContextMetadata,
  key.GroupDeniedMember,
  key.GroupLocalGovNonceWindow,
  key.GroupUpgradeLadder,
  key.GroupPendingKeyRotation,
  key.GroupInheritedDeniedMember,
  key.GroupDeviceBinding,
  key.GroupRevokedDevice,
  key.GroupAccountKey,
  key.GroupAccountEndorser,
  key.GroupPendingDeviceRotation,
  key.GroupFleetCompletion,
] as const;

const groupThere: Rule = {
  name: "group-there",
  relations: [34],
  severity: "info",
  says: "Rows about a group have that group; deleting it leaves some behind.",
  checks: [
    ...ofGroups.map((kind) => on(both, kind, withoutGroup)),
    ...ofGroups010.map((kind) => on([core010], kind, withoutGroup)),
    ...ofGroups011.map((kind) => on([core011], kind, withoutGroup)),
  ],
};

const groupAdmin: Rule = {
  name: "group-admin",
  relations: [35],
  severity: "info",
  says: "The administrator of a group is a member with that role.",
  checks: [
    on([core010], key.GroupMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there, value }] of await tools.join(
          rows,
          (row) => new key.GroupMember({ groupId: row.key.groupId, identity: row.value.adminIdentity }),
        )) {
          if (!there || (value !== undefined && value.role !== "Admin")) yield notAdmin(row.key, row.value);
        }
      }
    }),
    on([core011], key.GroupMeta, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there, value }] of await tools.join(
          rows,
          (row) => new key.GroupMember011({ groupId: row.key.groupId, account: row.value.adminIdentity }),
        )) {
          if (!there || (value !== undefined && value.role !== "Admin")) yield notAdmin(row.key, row.value);
        }
      }
    }),
  ],
};

function notAdmin(of: key.GroupMeta, { adminIdentity }: { readonly adminIdentity: Uint8Array }): Broken {
  const message = "the administrator is no member with that role: it was named without one, or not yet";
  return { key: of, message, found: adminIdentity };
}

const memberContext: Rule = {
  name: "member-context",
  relations: [45],
  severity: "info",
  says: "A member's identity in a context is there, and the context is in the group.",
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
  checks: [
    on([core010], key.GroupContextMemberCap, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          ({ key: { groupId, member } }) => new key.GroupMember({ groupId, identity: member }),
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
          ({ key: { groupId, member } }) => new key.GroupMember011({ groupId, account: member }),
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
