/** The members that vouched for accounts, since core-0.11. */
import { equalBytes } from "../../bytes/order.js";
import * as key from "../../keys/index.js";
import { runsById } from "../batches.js";
import { refer } from "../reference.js";
import { referenceRule } from "../reference-check.js";
import { on } from "../rule.js";
import { since011 } from "../since.js";
import { pathToRoot } from "./group-path.js";

export const endorsedAccount = referenceRule({
  name: "endorsed-account",
  relations: [47],
  severity: "warning",
  says: "Who vouched for an account in a group is an account itself, and both are known.",
  means:
    "Somebody vouched for an account, and one of the two is missing: a row was lost, or came from elsewhere.",
  advice: "Let the node sync, then verify again. If the finding stays, restore a copy that verifies.",
  references: [
    // A group keeps an account for as long as the group exists.
    refer({
      revisions: since011,
      from: key.GroupAccountEndorser,
      to: key.GroupAccountKey,
      key: ({ key: { groupId, accountId } }) => ({ groupId, accountId }),
      given: ({ key: { groupId } }) => new key.GroupMeta({ groupId }),
      message: "the group does not know the account that somebody vouched for",
      shows: (row) => ({ found: row.key.accountId }),
    }),
  ],
  checks: [
    on(since011, key.GroupAccountEndorser, async function* (batches, tools) {
      let path: readonly Uint8Array[] = [];
      for await (const { id: groupId, rows, begins } of runsById(batches, ({ key }) => key.groupId)) {
        if (begins) path = await pathToRoot(groupId, tools);
        const root = path.at(-1) ?? groupId;
        const metas = await tools.find([new key.GroupMeta({ groupId })]);
        if (metas[0]?.there !== true) continue;
        // The reference has looked up the same row.
        const others = rows.filter(
          ({ key: { accountId, member } }) => !equalBytes(root, groupId) || !equalBytes(accountId, member),
        );
        tools.checked(others.length);
        for (const [row, { there }] of await tools.join(
          others,
          ({ key: { member: accountId } }) => new key.GroupAccountKey({ groupId: root, accountId }),
        )) {
          const message = "the namespace does not know the account that vouched";
          if (!there) yield { key: row.key, message, found: row.key.member };
        }
      }
    }),
  ],
});
