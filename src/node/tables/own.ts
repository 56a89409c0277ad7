/** This node: its account, the keys that it signs with, and the keys that mark operations as its own. */
import { toHex } from "../../bytes/hex.js";
import { accountId } from "../../digests/index.js";
import { firstValue, hasKind, insideOf, type NodeReader, rowsOf } from "./rows.js";
import { unreadOf } from "./unread.js";

/** The node whose database this is. Ids are 64 hex digits. */
export interface OwnNode {
  /** Ed25519 public keys whose private keys are in the database: one in core-0.11, one for each namespace or context before. */
  readonly publicKeys: ReadonlySet<string>;
  /** The node's account; undefined before core-0.11. */
  readonly account: string | undefined;
  /** The node's device; undefined before core-0.11. */
  readonly device: string | undefined;
}

/** Reads which keys and which account are this node's. Private keys are not kept. */
export async function readOwnNode(reader: NodeReader): Promise<OwnNode> {
  const { own: parts } = unreadOf(reader);
  const publicKeys = new Set(parts?.publicKeys);
  const identity = await firstValue(reader, "NodeIdentity", {});
  if (identity !== undefined) publicKeys.add(toHex(identity.publicKey));
  for await (const rows of rowsOf(reader, "NamespaceIdentity"))
    for (const { value } of rows) publicKeys.add(toHex(value.publicKey));
  for await (const rows of rowsOf(reader, "GroupSigningKey"))
    for (const { key } of rows) publicKeys.add(toHex("publicKey" in key ? key.publicKey : key.keyId));
  // In core-0.11 these rows hold no keys: the node signs with its one identity.
  if (!hasKind(reader, "NodeIdentity"))
    for await (const rows of rowsOf(reader, "ContextIdentity"))
      for (const { key, value } of rows)
        if (value.privateKey !== null && "publicKey" in key) publicKeys.add(toHex(key.publicKey));
  const device = (await firstValue(reader, "NodeDeviceIdentity", {})) ?? parts?.device;
  return {
    publicKeys,
    account: (await boundAccount(reader, publicKeys)) ?? (device && rootAccount(device.accountRootPk)),
    device: device && toHex(device.deviceId),
  };
}

/** The account to which a group binds one of the keys. */
async function boundAccount(
  reader: NodeReader,
  publicKeys: ReadonlySet<string>,
): Promise<string | undefined> {
  for await (const rows of rowsOf(reader, "GroupDeviceBinding"))
    for (const { value } of rows) if (publicKeys.has(toHex(value.signPk))) return toHex(value.account);
  return undefined;
}

/** The account that begins with a root key. */
function rootAccount(rootSignPk: Uint8Array): string {
  return toHex(accountId({ version: 2, rootSignPk }));
}

/**
 * Reads this node's keys: keys with a stored private key, and keys that groups bind to its device. Before core-0.11, if
 * no other key is known, also the signers of logged operations: a node logs only its own.
 */
export async function readOwnSigners(reader: NodeReader): Promise<OwnNode> {
  const own = await readOwnNode(reader);
  const publicKeys = new Set(own.publicKeys);
  let { account } = own;
  for await (const rows of rowsOf(reader, "GroupDeviceBinding"))
    for (const { key, value } of rows)
      if (toHex(key.deviceId) === own.device) {
        publicKeys.add(toHex(value.signPk));
        account ??= toHex(value.account);
      }
  if (publicKeys.size === 0 && !hasKind(reader, "NodeIdentity"))
    for await (const rows of rowsOf(reader, "GroupOpLog"))
      for (const { key, value } of rows) {
        const signed = insideOf(reader, key, value);
        if (signed !== undefined) publicKeys.add(toHex(signed.signer));
      }
  return { ...own, account, publicKeys };
}
