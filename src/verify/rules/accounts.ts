/** Accounts and devices, and this node's own, since core-0.11. What a finding shows is public. */
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { derivePublicKey } from "../../crypto/index.js";
import { accountId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { type Core011, core011 } from "../../schemas/index.js";
import { COMPARE, RESTORE } from "../advice.js";
import type { Broken } from "../finding.js";
import { refer } from "../reference.js";
import { referenceRule } from "../reference-check.js";
import { on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";
import { deviceAccount, revokedDevice } from "./references/members.js";

const nodeKey = referenceRule({
  name: "node-key",
  relations: [37],
  severity: "error",
  says: "A node that takes part in a namespace has a key pair and a device. Its public key belongs to its private key.",
  means: "The node cannot sign: its key or its device is missing or wrong.",
  advice:
    "Restore a copy of the database that has the key. Without one, the node has to join its namespaces anew.",
  references: [
    refer({
      revisions: [core011],
      from: key.NamespaceParticipation,
      to: key.NodeIdentity,
      key: () => ({}),
      message: "the node takes part in the namespace, and has no key to sign with",
    }),
  ],
  checks: [
    on([core011], key.GroupDeviceBinding, async function* (batches, tools) {
      const [identity] = await tools.find([new key.NodeIdentity({})]);
      const [device] = await tools.find([new key.NodeDeviceIdentity({})]);
      const own = identity?.value?.publicKey;
      for await (const rows of batches) {
        if (own === undefined) continue;
        const ownRows = rows.filter(({ value }) => equalBytes(value.signPk, own));
        tools.checked(ownRows.length);
        for (const row of ownRows) {
          const message = "it is this node's device, and the row with the device's secret is not there";
          if (device?.there === false) yield { key: row.key, message, found: row.key.deviceId };
        }
      }
    }),
    onEach([core011], key.NodeIdentity, function* (row, tools) {
      tools.checked();
      const { publicKey: found, privateKey } = row.value;
      const expected = derivePublicKey(privateKey);
      if (!equalBytes(found, expected))
        yield { key: row.key, message: "the private key has another public key", found, expected };
    }),
  ],
});

/** The version that accounts begin with. */
const GENESIS = 2;

const nodeAccount = referenceRule({
  name: "node-account",
  relations: [37],
  severity: "error",
  says: "The node's device and its account have the root key that is there.",
  means: "The node's device does not belong to the node's account. Other nodes may not accept what it signs.",
  advice:
    "Nothing for an info, if another device holds the account. For an error, restore a copy that verifies.",
  references: [
    refer({
      revisions: [core011],
      from: key.NodeDeviceIdentity,
      to: key.NodeAccountRoot,
      key: () => ({}),
      message: "the root key of the node's account is not there: another device has it, or it is lost",
      severity: "info",
    }),
  ],
  checks: [
    on([core011], key.NodeAccountRoot, async function* (batches, tools) {
      for await (const rows of batches) {
        for (const row of rows) {
          const expected = derivePublicKey(row.value.rootSecret);
          const of = new key.NodeDeviceIdentity({});
          const [device] = await tools.find([of]);
          if (device?.value === undefined) continue;
          tools.checked();
          const found = device.value.accountRootPk;
          if (!equalBytes(found, expected))
            yield { key: of, message: "the device has another root key than the account", found, expected };
        }
      }
    }),
    on([core011], key.GroupDeviceBinding, async function* (batches, tools) {
      const own = await ownAccount(tools);
      for await (const rows of batches) {
        if (own === undefined) continue;
        const ownRows = rows.filter((row) => equalBytes(row.key.deviceId, own.device));
        tools.checked(ownRows.length);
        for (const [row, { value: accountKey }] of await tools.join(
          ownRows,
          (row) => new key.GroupAccountKey({ groupId: row.key.groupId, accountId: row.value.account }),
        )) {
          const { account: found } = row.value;
          if (equalBytes(found, own.account)) continue;
          // An account keeps its id when its root key changes.
          if (accountKey !== undefined && equalBytes(accountKey.rootPk, own.rootSignPk)) continue;
          yield {
            key: row.key,
            message: "this node's device belongs to another account",
            found,
            expected: own.account,
          };
        }
      }
    }),
  ],
});

/** This node: a device of an account whose id follows from the root key that it began with. */
interface OwnAccount {
  readonly account: Uint8Array;
  readonly rootSignPk: Uint8Array;
  readonly device: Uint8Array;
}

async function ownAccount(tools: Tools<Core011>): Promise<OwnAccount | undefined> {
  const [root] = await tools.find([new key.NodeAccountRoot({})]);
  const [device] = await tools.find([new key.NodeDeviceIdentity({})]);
  if (root?.value === undefined || device?.value === undefined) return undefined;
  const rootSignPk = derivePublicKey(root.value.rootSecret);
  const account = accountId({ version: GENESIS, rootSignPk });
  return { account, rootSignPk, device: device.value.deviceId };
}

const accountEndorser: Rule = {
  name: "account-endorser",
  relations: [47],
  severity: "error",
  says: "A group knows a member who vouched for an account that it knows.",
  means: "An account is known, and who vouched for it is missing.",
  advice: RESTORE,
  pairs: true,
  checks: [
    on([core011], key.GroupAccountKey, async function* (batches, tools) {
      for await (const rows of batches) {
        for (const row of rows) {
          tools.checked();
          const { groupId, accountId } = row.key;
          let endorsed = false;
          for await (const some of tools.scan(key.GroupAccountEndorser.range({ groupId, accountId }))) {
            endorsed = some.length > 0;
            if (endorsed) break;
          }
          const message = "the group knows the account, and not who vouched for it";
          if (!endorsed) yield { key: row.key, message, about: concat(groupId, accountId) };
        }
      }
    }),
  ],
};

const accountRoot: Rule = {
  name: "account-root",
  relations: [37, 47],
  severity: "error",
  says: "The id of an account is that of the root key that it began with, if it still has it.",
  means: "The account has another root key than its id says. Somebody may pose as its owner.",
  advice: COMPARE,
  checks: [
    onEach([core011], key.GroupAccountKey, function* (row, tools) {
      if (row.value.epoch !== 0) return;
      tools.checked();
      const found = accountId({ version: GENESIS, rootSignPk: row.value.rootPk });
      const expected = row.key.accountId;
      if (!equalBytes(found, expected))
        yield { key: row.key, message: "the account's first root key gives another id", found, expected };
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
    on([core011], key.GroupDeniedMember, async function* (batches, tools) {
      for await (const rows of batches) {
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
      }
    }),
  ],
};

function* pending(of: Broken["key"], what: string): Iterable<Broken> {
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
    onEach([core011], key.GroupPendingKeyRotation, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "change the group's key, because an account left");
    }),
    onEach([core011], key.GroupPendingDeviceRotation, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "change the group's key, because a device is gone");
    }),
    onEach([core011], key.PendingSelfPurge, function* (row, tools) {
      tools.checked();
      yield* pending(row.key, "forget a namespace that it left");
    }),
  ],
};

export const accountRules: readonly Rule[] = [
  nodeKey,
  nodeAccount,
  deviceAccount,
  accountEndorser,
  revokedDevice,
  accountRoot,
  deniedMember,
  workToDo,
];
