/** The rows about a group, its members and their contexts. */
import { isZeros } from "../../bytes/bytes.js";
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import * as key from "../../keys/index.js";
import type { RowFinding } from "../finding.js";
import { onBatch, onEach, type Rule } from "../rule.js";
import { only010, since011 } from "../since.js";
import { contextJoined, contextMetadata, groupThere } from "./references/groups.js";
import { contextMember, memberContext } from "./references/members.js";

const groupAdmin: Rule = {
  name: "group-admin",
  relations: [35],
  severity: "error",
  says: "The administrator of a group is a member with that role; since core-0.11 its owner is a member too.",
  means: "The administrator or owner of the group is not among its members.",
  advice: "Nothing for an info. For others, let the node sync, then verify again.",
  pairs: true,
  checks: [
    onBatch(only010, key.GroupMeta, async function* (rows, tools) {
      tools.checked(rows.length);
      for (const [row, { there, value }] of await tools.join(
        rows,
        (row) => new key.GroupMember010({ groupId: row.key.groupId, identity: row.value.adminIdentity }),
      )) {
        if (!there || (value !== undefined && value.role !== "Admin")) yield notAdmin(row.key, row.value);
      }
    }),
    onBatch(since011, key.GroupMeta, async function* (rows, tools) {
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
            message: `the ${leader.isAdmin ? "administrator" : "owner"} of the group is not a member, and was not removed`,
            found: leader.account,
            about: concat(leader.key.groupId, leader.account),
          };
        else if (leader.isAdmin && (!there || (value !== undefined && value.role !== "Admin")))
          yield notAdmin(leader.key, leader.value);
      }
    }),
  ],
};

/** If the node has only heard of a group, the group's administrator and owner are zeros. */
function isPlaceholder(account: Uint8Array): boolean {
  return isZeros(account);
}

function notAdmin(of: key.GroupMeta, { adminIdentity }: { readonly adminIdentity: Uint8Array }): RowFinding {
  const message = "the administrator is not a member with that role: it was named without one, or not yet";
  return { key: of, message, found: adminIdentity, severity: "info" };
}

const upgradeCounts: Rule = {
  name: "upgrade-counts",
  relations: [46],
  severity: "warning",
  says: "An upgrade has not gone through more contexts than there are.",
  means: "The progress of an upgrade is not counted correctly.",
  advice: "Check that all contexts of the group run the new version.",
  checks: [
    onEach(only010, key.GroupUpgradeKey, function* (row, tools) {
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
  contextMetadata,
  upgradeCounts,
];
