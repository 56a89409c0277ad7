/** Accounts and devices since core-0.11. Findings show only public values. */

import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { accountId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { COMPARE, RESTORE } from "../advice.js";
import { some } from "../batches.js";
import type { RowFinding } from "../finding.js";
import { onBatch, onEach, type Rule } from "../rule.js";
import { since011 } from "../since.js";
import { endorsedAccount } from "./endorsers.js";
import { nodeAccount, nodeKey } from "./node-account.js";
import { ownDevice } from "./own-device.js";
import { GENESIS_VERSION } from "./own-node.js";
import { deviceAccount, revokedDevice } from "./references/members.js";
import { namespaceInviter } from "./references/namespaces.js";

const accountEndorser: Rule = {
  name: "account-endorser",
  relations: [47],
  severity: "error",
  says: "A group knows a member who vouched for an account that it knows.",
  means: "An account is known, and who vouched for it is missing.",
  advice: RESTORE,
  pairs: true,
  checks: [
    onBatch(since011, key.GroupAccountKey, async function* (rows, tools) {
      for (const row of rows) {
        tools.checked();
        const { groupId, accountId } = row.key;
        if (await some(tools.scan(key.GroupAccountEndorser.range({ groupId, accountId })))) continue;
        const message = "the group knows the account, and not who vouched for it";
        yield { key: row.key, message, about: concat(groupId, accountId) };
      }
    }),
  ],
};

const accountRoot: Rule = {
  name: "account-root",
  relations: [37, 47],
  severity: "error",
  says: "The id of an account names its first root key, which is the account's root key until another replaces it.",
  means: "The account has another root key than its id says. Somebody may pose as its owner.",
  advice: COMPARE,
  checks: [
    onEach(since011, key.GroupAccountKey, function* (row, tools) {
      tools.checked();
      const { epoch, rootPk } = row.value;
      const found = accountId({ version: GENESIS_VERSION, rootSignPk: rootPk });
      const expected = row.key.accountId;
      const isFirst = equalBytes(found, expected);
      if (epoch === 0 && !isFirst)
        yield { key: row.key, message: "the account's first root key gives another id", found, expected };
      if (epoch > 0 && isFirst) {
        const message = "the account has its first root key, and the number of a later one";
        yield { key: row.key, message, found: epoch, expected: 0 };
      }
    }),
  ],
};

const deviceEpoch: Rule = {
  name: "device-epoch",
  relations: [47],
  severity: "error",
  says: "A device was certified by a root key of its account that the group knows.",
  means:
    "The device has a certificate of a key that its account does not have yet. One of the rows was changed.",
  advice: COMPARE,
  checks: [
    onBatch(since011, key.GroupDeviceBinding, async function* (rows, tools) {
      for (const [row, { value: account }] of await tools.join(
        rows,
        (row) => new key.GroupAccountKey({ groupId: row.key.groupId, accountId: row.value.account }),
      )) {
        if (account === undefined) continue;
        tools.checked();
        const { keyEpoch: found } = row.value;
        const { epoch } = account;
        const message = "the device was certified by a later root key than the account has";
        if (found > epoch) yield { key: row.key, message, found, expected: `at most ${epoch}` };
      }
    }),
  ],
};

const deniedMember: Rule = {
  name: "denied-member",
  relations: [48],
  severity: "warning",
  says: "An account that was removed from a group is not a member of it.",
  means: "A removed account is a member again, or still.",
  advice: "Let the node sync, then verify again. If the account should not be there, remove it again.",
  checks: [
    onBatch(since011, key.GroupDeniedMember, async function* (rows, tools) {
      tools.checked(rows.length);
      for (const [row, { there }] of await tools.join(
        rows,
        ({ key: { groupId, account } }) => new key.GroupMember({ groupId, account }),
      )) {
        if (there)
          yield {
            key: row.key,
            message: "the account was removed, and is a member",
            found: row.key.account,
          };
      }
    }),
  ],
};

function* pending(of: RowFinding["key"], what: string): Iterable<RowFinding> {
  yield { key: of, message: `the node still has to ${what}` };
}

const workToDo: Rule = {
  name: "work-to-do",
  relations: [48],
  severity: "info",
  says: "Nothing waits to be done: no key to be changed, no namespace to be forgotten.",
  means: "The node has not finished a task yet.",
  advice: "Nothing if the node runs: it does the task itself.",
  checks: [
    onEach(since011, key.GroupPendingKeyRotation, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "change the group's key, because an account left");
    }),
    onEach(since011, key.GroupPendingDeviceRotation, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "change the group's key, because a device is gone");
    }),
    onEach(since011, key.PendingSelfPurge, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "forget a namespace that it left");
    }),
  ],
};

export const accountRules: readonly Rule[] = [
  nodeKey,
  nodeAccount,
  ownDevice,
  deviceAccount,
  deviceEpoch,
  accountEndorser,
  endorsedAccount,
  revokedDevice,
  accountRoot,
  namespaceInviter,
  deniedMember,
  workToDo,
];
