/** This node's key pair, device and account, since core-0.11. Findings show only public values. */

import { equalBytes } from "../../bytes/order.js";
import { derivePublicKey } from "../../crypto/index.js";
import { accountId } from "../../digests/index.js";
import * as key from "../../keys/index.js";
import { some } from "../batches.js";
import { refer } from "../reference.js";
import { referenceRule } from "../reference-check.js";
import { on, onBatch, onEqual, type Rule } from "../rule.js";
import { type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { OTHER_PUBLIC_KEY } from "./keys.js";
import { GENESIS_VERSION } from "./own-node.js";

export const nodeKey = referenceRule({
  name: "node-key",
  relations: [37],
  severity: "error",
  says: "A node that takes part in a namespace has a key pair and a device. Its public key belongs to its private key.",
  means: "The node cannot sign, because its key or its device is missing or wrong.",
  advice:
    "Restore a copy of the database that has the key. Without a copy, the node must join its namespaces again.",
  references: [
    refer({
      revisions: since011,
      from: key.NamespaceParticipation,
      to: key.NodeIdentity,
      key: () => ({}),
      message: "the node takes part in the namespace, but has no key to sign with",
    }),
  ],
  checks: [
    on(since011, key.GroupDeviceBinding, async function* (batches, tools) {
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
    onEqual(since011, key.NodeIdentity, OTHER_PUBLIC_KEY, ({ value }) => [
      value.publicKey,
      derivePublicKey(value.privateKey),
    ]),
  ],
});

export const nodeAccount: Rule = {
  name: "node-account",
  relations: [37],
  severity: "error",
  says: "The node's device and its account have the root key that is there.",
  means: "The node's device does not belong to the node's account. Other nodes may not accept what it signs.",
  advice: "Nothing for an info, if another device holds the account. Otherwise restore a copy that verifies.",
  checks: [
    onBatch(since011, key.NodeDeviceIdentity, async function* (rows, tools) {
      for (const [row, { there }] of await tools.join(rows, () => new key.NodeAccountRoot({}))) {
        tools.checked();
        if (there) continue;
        const shared = await mayHaveOtherDevice(row.value.deviceId, tools);
        yield {
          key: row.key,
          message: shared
            ? "the root key of the node's account is not there: another device has it, or it is lost"
            : "the root key of the node's account is not there, and no other device that could have it is known",
          severity: shared ? "info" : "warning",
        };
      }
    }),
    onBatch(since011, key.NodeAccountRoot, async function* (rows, tools) {
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
    }),
    on(since011, key.GroupDeviceBinding, async function* (batches, tools) {
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

/** This node: a device of an account. The account's id follows from its first root key. */
interface OwnAccount {
  readonly account: Uint8Array;
  readonly rootSignPk: Uint8Array;
  readonly device: Uint8Array;
}

async function ownAccount(tools: Tools<Since011>): Promise<OwnAccount | undefined> {
  const [root] = await tools.find([new key.NodeAccountRoot({})]);
  const [device] = await tools.find([new key.NodeDeviceIdentity({})]);
  if (root?.value === undefined || device?.value === undefined) return undefined;
  const rootSignPk = derivePublicKey(root.value.rootSecret);
  const account = accountId({ version: GENESIS_VERSION, rootSignPk });
  return { account, rootSignPk, device: device.value.deviceId };
}

/** Returns whether the account of a device may have another device, known to a group or revoked. */
async function mayHaveOtherDevice(deviceId: Uint8Array, tools: Tools<Since011>): Promise<boolean> {
  let account: Uint8Array | undefined;
  for await (const rows of tools.scan(key.GroupDeviceBinding.range({}))) {
    account = rows.find((row) => equalBytes(row.key.deviceId, deviceId))?.value.account;
    if (account !== undefined) break;
  }
  if (account === undefined) return true;
  for await (const rows of tools.scan(key.GroupDeviceBinding.range({}))) {
    const ofAccount = rows.filter((row) => equalBytes(row.value.account, account));
    if (ofAccount.some((row) => !equalBytes(row.key.deviceId, deviceId))) return true;
    for (const { key: at } of ofAccount) {
      if (await some(tools.scan(key.GroupRevokedDevice.range({ groupId: at.groupId })))) return true;
    }
  }
  return false;
}
