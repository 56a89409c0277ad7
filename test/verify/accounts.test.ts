/** Accounts: each of these changes leads to findings of its own rule alone. */
import { it } from "vitest";
import { equalBytes } from "../../src/bytes/order.js";
import { derivePublicKey } from "../../src/crypto/index.js";
import * as key from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import {
  type Expected,
  expectNews,
  flipped,
  inMemory,
  itCounts,
  itFinds,
  itFindsIn,
  nobody,
  rowsOf,
} from "./altered.js";

const node = () => inMemory("core-0.11/node-a", core011);

itFindsIn(["error", "node-key"], node, key.NodeIdentity, ({ publicKey }) => ({
  publicKey: flipped(publicKey),
}));

itFindsIn(
  ["error", "node-account", "a device with another root key"],
  node,
  key.NodeDeviceIdentity,
  ({ accountRootPk }) => ({ accountRootPk: flipped(accountRootPk) }),
);

it("node-account: a device of another account, unless that has the root key", async () => {
  const bind = async (rootPk: Uint8Array | undefined) => {
    await expectNews(await node(), async (store) => {
      const [{ value: root }] = await rowsOf(store, key.NodeAccountRoot);
      const [{ value: device }] = await rowsOf(store, key.NodeDeviceIdentity);
      const [binding] = await rowsOf(store, key.GroupDeviceBinding, (row) =>
        equalBytes(row.key.deviceId, device.deviceId),
      );
      const account = new key.GroupAccountKey({ groupId: binding.key.groupId, accountId: nobody });
      await store.put(account, { epoch: 1, rootPk: rootPk ?? derivePublicKey(root.rootSecret) });
      await store.put(binding.key, { ...binding.value, account: nobody });
      const endorser = { groupId: binding.key.groupId, accountId: nobody, member: nobody };
      await store.put(new key.GroupAccountEndorser(endorser), null);
      const made = await rowsOf(
        store,
        key.ScopeUnifiedOp,
        (row) =>
          equalBytes(row.key.scope, binding.key.groupId) &&
          equalBytes(row.value.decode().authorship.device, device.deviceId),
      );
      const others = made.map((row): Expected => ["error", "operation-device", row.key]);
      return rootPk === undefined ? others : [["error", "node-account", binding.key], ...others];
    });
  };
  await bind(nobody);
  await bind(undefined);
});

itCounts(
  "device-account: an unknown account is a warning, several are errors",
  node,
  async (store, count, severity) => {
    const accounts = (await rowsOf(store, key.GroupAccountKey)).slice(0, count);
    const devices = await rowsOf(store, key.GroupDeviceBinding, (row) =>
      accounts.some(
        (account) =>
          equalBytes(account.key.groupId, row.key.groupId) &&
          equalBytes(account.key.accountId, row.value.account),
      ),
    );
    for (const account of accounts) await store.delete(account.key);
    const vouched = accounts.map(({ key: { groupId, accountId } }) => {
      return new key.GroupAccountEndorser({ groupId, accountId, member: accountId });
    });
    return [
      ...devices.map((row) => [severity, "device-account", row.key] as const),
      ...vouched.map((at) => ["warning", "endorsed-account", at] as const),
    ];
  },
);

it("account-root: unless the account has another root key by now", async () => {
  for (const epoch of [0, 1]) {
    await expectNews(await node(), async (store) => {
      const [{ key: at, value }] = await rowsOf(store, key.GroupAccountKey);
      await store.put(at, { epoch, rootPk: flipped(value.rootPk) });
      return epoch === 0 ? [["error", "account-root", at]] : [];
    });
  }
});

itFinds("denied-member", node, async (store) => {
  const [member] = await rowsOf(store, key.GroupMember);
  const denied = new key.GroupDeniedMember({ groupId: member.key.groupId, account: member.key.account });
  await store.put(denied, null);
  const { groupId, account } = denied;
  await store.put(new key.GroupReentryBlock({ groupId, account }), { reason: "Removed" });
  return [["warning", "denied-member", denied]];
});

itFinds("work-to-do", node, async (store) => {
  const [{ key: meta }] = await rowsOf(store, key.GroupMeta);
  const { groupId } = meta;
  const departed = new key.GroupPendingKeyRotation({ groupId, departed: nobody });
  const gone = new key.GroupPendingDeviceRotation({ groupId, device: nobody });
  const purge = new key.PendingSelfPurge({ namespaceId: nobody });
  for (const at of [departed, gone, purge]) await store.put(at, null);
  await store.put(new key.GroupRevokedDevice({ groupId, deviceId: nobody }), null);
  return [departed, gone, purge].map((at) => ["info", "work-to-do", at]);
});
