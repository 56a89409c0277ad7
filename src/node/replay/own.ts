/** The keys by which this node's own operations are known, even where the rows of its keys are damaged. */
import { toHex } from "../../bytes/hex.js";
import { type OwnNode, readOwnNode } from "../tables/own.js";
import { hasKind, type NodeReader, rowsOf } from "../tables/rows.js";

/**
 * Reads which keys are this node's: those whose private keys are there, those that groups bind to its device, and, before
 * core-0.11, those of logged operations where no other key is known: a node logs only its own.
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
      for (const { value } of rows)
        if (!(value instanceof Uint8Array) && value.value !== undefined)
          publicKeys.add(toHex(value.value.signer));
  return { ...own, account, publicKeys };
}
