/** Accounts and devices, and this node's own, since core-0.11. What a finding shows is public. */
import { concat } from "../../bytes/concat.js";
import { equalBytes } from "../../bytes/order.js";
import { derivePublicKey } from "../../crypto/index.js";
import { accountId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { core011, type RowsOf } from "../../schemas/index.js";
import type { Broken } from "../finding.js";
import { on, onEach, type Rule } from "../rule.js";
import type { Tools } from "../tools.js";

const nodeKey: Rule = {
  name: "node-key",
  relations: [37],
  severity: "error",
  says: "The node's public key is that of its private key.",
  checks: [
    onEach([core011], key.NodeIdentity, function* (row, tools) {
      tools.checked();
      const { publicKey: found, privateKey } = row.value;
      const expected = derivePublicKey(privateKey);
      if (!equalBytes(found, expected))
        yield { key: row.key, message: "the private key has another public key", found, expected };
    }),
  ],
};

/** The version that accounts begin with. */
const GENESIS = 2;

const nodeAccount: Rule = {
  name: "node-account",
  relations: [37],
  severity: "error",
  says: "The node's device and its account have the root key that is there.",
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
};

/** This node: a device of an account whose id follows from the root key that it began with. */
interface OwnAccount {
  readonly account: Uint8Array;
  readonly rootSignPk: Uint8Array;
  readonly device: Uint8Array;
}

async function ownAccount(tools: Tools<RowsOf<typeof core011>>): Promise<OwnAccount | undefined> {
  const [root] = await tools.find([new key.NodeAccountRoot({})]);
  const [device] = await tools.find([new key.NodeDeviceIdentity({})]);
  if (root?.value === undefined || device?.value === undefined) return undefined;
  const rootSignPk = derivePublicKey(root.value.rootSecret);
  const account = accountId({ version: GENESIS, rootSignPk });
  return { account, rootSignPk, device: device.value.deviceId };
}

const deviceAccount: Rule = {
  name: "device-account",
  relations: [47],
  severity: "error",
  says: "A device that a group knows belongs to an account that it knows.",
  pairs: true,
  checks: [
    on([core011], key.GroupDeviceBinding, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          (row) => new key.GroupAccountKey({ groupId: row.key.groupId, accountId: row.value.account }),
        )) {
          const message = "the group does not know the device's account";
          const { account } = row.value;
          if (!there)
            yield { key: row.key, message, found: account, about: concat(row.key.groupId, account) };
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
  says: "Who was removed from a group is no member of it.",
  checks: [
    on([core011], key.GroupDeniedMember, async function* (batches, tools) {
      for await (const rows of batches) {
        tools.checked(rows.length);
        for (const [row, { there }] of await tools.join(
          rows,
          ({ key: { groupId, account } }) => new key.GroupMember011({ groupId, account }),
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
  accountRoot,
  deniedMember,
  workToDo,
];
