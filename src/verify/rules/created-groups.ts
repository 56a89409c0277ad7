/** Groups that this node made, since core-0.11. The node made a key for each. */

import { equalBytes } from "../../bytes/order.js";
import { GroupKeyEntry, GroupMeta, NamespaceGovOp } from "../../keys/index.js";
import { some } from "../batches.js";
import { on, type Rule } from "../rule.js";
import { since011 } from "../since.js";
import { ownNode } from "./own-node.js";
import { operationsIn } from "./signed-operations.js";

export const createdGroupKey: Rule = {
  name: "created-group-key",
  relations: [50],
  // Not an error: after a restore of the database, a node fetches its own later operations from peers, without the
  // keys.
  severity: "warning",
  says: "A group that this node made has a key.",
  means: "The node has lost the key of a group that it made. Nobody may be able to read or write there.",
  advice:
    "Restore a copy of the database that has the key, or ask a member of the group to share the key again.",
  checks: [
    on(since011, NamespaceGovOp, async function* (batches, tools) {
      const node = await ownNode(tools);
      for await (const rows of batches) {
        const made = operationsIn(rows).flatMap(({ key, operation: { signer, op: outer } }) => {
          if (outer.kind !== "Root" || node === undefined || !equalBytes(signer, node.publicKey)) return [];
          const { value: op } = outer;
          if (op.kind === "NamespaceCreated" || op.kind === "NamespaceCreatedV2")
            return [{ key, groupId: key.namespaceId }];
          return op.kind === "GroupCreated" ? [{ key, groupId: op.groupId }] : [];
        });
        for (const [{ key, groupId }, { there }] of await tools.join(
          made,
          ({ groupId }) => new GroupMeta({ groupId }),
        )) {
          if (!there) continue;
          tools.checked();
          if (await some(tools.scan(GroupKeyEntry.range({ groupId })))) continue;
          yield { key, message: "the operation made a group, of which no key is there", found: groupId };
        }
      }
    }),
  ],
};
