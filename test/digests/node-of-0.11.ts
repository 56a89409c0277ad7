/** The keys and the account of a node of core-0.11. */
import { equalBytes } from "../../src/bytes/order.js";
import { derivePublicKey } from "../../src/crypto/index.js";
import * as digest from "../../src/digests/index.js";
import * as key from "../../src/keys/index.js";
import * as value from "../../src/values/index.js";
import type { Rows, Tally } from "./rows.js";

/** Counts public keys that follow from seeds, and account ids that follow from keys. */
export function countNode(rows: Rows, tally: Tally): void {
  for (const { value: own } of rows.of(key.NodeIdentity, value.NodeIdentityValue)) {
    tally.check("node identity", equalBytes(derivePublicKey(own.privateKey), own.publicKey));
  }
  const [device] = rows.of(key.NodeDeviceIdentity, value.NodeDeviceIdentityValue);
  for (const { value: root } of rows.of(key.NodeAccountRoot, value.NodeAccountRootValue)) {
    const rootSignPk = derivePublicKey(root.rootSecret);
    tally.check("account root", device !== undefined && equalBytes(rootSignPk, device.value.accountRootPk));
    const account = digest.accountId({ version: 2, rootSignPk });
    for (const { key: at, value: known } of rows.of(key.GroupAccountKey, value.GroupAccountKeyValue)) {
      if (equalBytes(known.rootPk, rootSignPk)) tally.check("own account", equalBytes(at.accountId, account));
    }
    for (const { key: at, value: known } of rows.of(
      key.GroupDeviceBinding,
      value.GroupDeviceBindingValue011,
    )) {
      if (device !== undefined && equalBytes(at.deviceId, device.value.deviceId)) {
        tally.check("own device's account", equalBytes(known.account, account));
      }
    }
  }
  for (const { key: at, value: known } of rows.of(key.GroupAccountKey, value.GroupAccountKeyValue)) {
    const account = digest.accountId({ version: 2, rootSignPk: known.rootPk });
    if (known.epoch === 0) tally.check("account id by its first key", equalBytes(account, at.accountId));
  }
  for (const { key: at, value: own } of rows.of(key.ContextIdentity, value.ContextIdentityValue)) {
    if (own.privateKey === null) tally.check("identity without key");
    else tally.check("context identity", equalBytes(derivePublicKey(own.privateKey), at.publicKey));
  }
}
