/** What rows about members prove, since core-0.11: who is a member, and who was removed or left. */

import * as key from "../../keys/index.js";
import { core011 } from "../../schemas/index.js";
import type { Rule } from "../rule.js";
import { RESTORE } from "./advice.js";
import { needs } from "./partners.js";

interface OfMember {
  readonly groupId: Uint8Array;
  readonly account: Uint8Array;
}

const memberOf = ({ groupId, account }: OfMember) => new key.GroupMember({ groupId, account });
const blockOf = ({ groupId, account }: OfMember) => new key.GroupReentryBlock({ groupId, account });
const denialOf = ({ groupId, account }: OfMember) => new key.GroupDeniedMember({ groupId, account });

const memberCapability: Rule = {
  name: "member-capability",
  relations: [45],
  severity: "error",
  says: "Who has capabilities in a group is a member of it: a node deletes both rows.",
  means: "Rights remain of an account whose membership row is missing.",
  advice: RESTORE,
  pairs: true,
  checks: [
    needs([core011], key.GroupMemberCapability, {
      partners: [(row) => memberOf(row.key)],
      message: "who has the capabilities is no member of the group",
    }),
  ],
};

const usedInvitation: Rule = {
  name: "used-invitation",
  relations: [45],
  severity: "error",
  says: "Who used an invitation to a group is a member of it, or was one.",
  means: "Somebody joined by an invitation, and the membership row is missing.",
  advice: RESTORE,
  pairs: true,
  checks: [
    needs([core011], key.GroupConsumedInvitation, {
      partners: [(row) => memberOf(row.key), (row) => blockOf(row.key)],
      message: "who used the invitation is no member of the group, and neither left nor was removed",
    }),
  ],
};

const removedMember: Rule = {
  name: "removed-member",
  relations: [48],
  severity: "error",
  says: "Rows about the removal of a member are there together.",
  means: "A removed member may be able to join again, or is not denied everywhere.",
  advice: "Let the node sync, then verify again. If the finding stays, remove the member again.",
  pairs: true,
  checks: [
    needs([core011], key.GroupDeniedMember, {
      partners: [(row) => blockOf(row.key)],
      message: "the account was removed or left, and nothing keeps it from joining again",
    }),
    needs([core011], key.GroupDeniedMember, {
      only: async (rows, tools) => {
        const namespaces = await tools.join(
          rows,
          (row) => new key.NamespaceParticipation({ namespaceId: row.key.groupId }),
        );
        return namespaces.flatMap(([row, { there }]) => (there ? [row] : []));
      },
      partners: [({ key: { groupId, account } }) => new key.GroupInheritedDeniedMember({ groupId, account })],
      message: "the account was removed from the namespace, and not from its open subgroups",
    }),
    // Who answers a join adds the member and deletes the denials alone.
    needs([core011], key.GroupReentryBlock, {
      partners: [(row) => denialOf(row.key), (row) => memberOf(row.key)],
      message: "the account was removed or left, and the group does not deny it",
      severity: "warning",
    }),
    needs([core011], key.GroupInheritedDeniedMember, {
      partners: [(row) => denialOf(row.key), (row) => memberOf(row.key)],
      message: "the account was removed from the namespace, and its root group does not deny it",
      severity: "warning",
    }),
  ],
};

export const memberRules: readonly Rule[] = [memberCapability, usedInvitation, removedMember];
