/** This node, since core-0.11: its signing key and its device, the same in all namespaces. */

import { equalBytes } from "../../bytes/order.js";
import { derivePublicKey } from "../../crypto/index.js";
import * as key from "../../keys/index.js";
import type { Since011 } from "../since.js";
import type { Tools } from "../tools.js";

/** The version in the genesis of an account, from which the account's id follows. */
export const GENESIS_VERSION = 2;

export interface OwnNode {
  /** The public key for its signatures. */
  readonly publicKey: Uint8Array;
  readonly deviceId: Uint8Array;
  /** Secret: the private key for messages that others encrypt to this node. */
  readonly kemSecret: Uint8Array;
}

/** Returns this node; undefined if one of the two rows is missing or wrong, which other rules report. */
export async function ownNode(tools: Tools<Since011>): Promise<OwnNode | undefined> {
  const [identity] = await tools.find([new key.NodeIdentity({})]);
  const [device] = await tools.find([new key.NodeDeviceIdentity({})]);
  if (identity?.value === undefined || device?.value === undefined) return undefined;
  const { publicKey, privateKey } = identity.value;
  if (!equalBytes(publicKey, derivePublicKey(privateKey))) return undefined;
  return { publicKey, ...device.value };
}
