/** This node's device, since core-0.11: the groups know its public keys, and the node has the private keys. */
import { equalBytes } from "../../bytes/order.js";
import { deriveX25519PublicKey } from "../../crypto/index.js";
import {
  GroupDeviceBinding,
  GroupMeta,
  GroupRevokedDevice,
  NamespaceParticipation,
} from "../../keys/index.js";
import type { GroupDeviceBindingValue011 } from "../../values/index.js";
import type { RowFinding } from "../finding.js";
import { type GoodRow, on, type Rule } from "../rule.js";
import { type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { type OwnNode, ownNode } from "./own-node.js";

type Row = GoodRow<GroupDeviceBinding, GroupDeviceBindingValue011>;

function* compare({ key, value }: Row, node: OwnNode, tools: Tools): Iterable<RowFinding> {
  const isOwnDevice = equalBytes(key.deviceId, node.deviceId);
  const isOwnKey = equalBytes(value.signPk, node.publicKey);
  if (!isOwnDevice && !isOwnKey) return;
  tools.checked();
  if (!isOwnDevice) {
    const message = "the key that this node signs with belongs to another device";
    yield { key, message, found: key.deviceId, expected: node.deviceId };
    return;
  }
  if (!isOwnKey) {
    const message = "the group knows this node's device by another key than the node signs with";
    yield { key, message, found: value.signPk, expected: node.publicKey };
  }
  const expected = deriveX25519PublicKey(node.kemSecret);
  if (!equalBytes(value.kemPk, expected)) {
    const message = "the group knows this node's device by a key whose private key the node does not have";
    yield { key, message, found: value.kemPk, expected };
  }
}

/** Reports the namespaces in participation rows that do not know the device. */
async function* unknownIn(
  rows: readonly GoodRow<NamespaceParticipation, unknown>[],
  { deviceId }: OwnNode,
  tools: Tools<Since011>,
): AsyncGenerator<RowFinding, void, undefined> {
  const places = rows.map(({ key: { namespaceId: groupId } }) => ({ groupId, deviceId }));
  const groups = await tools.find(places.map(({ groupId }) => new GroupMeta({ groupId })));
  const bindings = await tools.find(places.map((place) => new GroupDeviceBinding(place)));
  const revoked = await tools.find(places.map((place) => new GroupRevokedDevice(place)));
  for (const [at, { key }] of rows.entries()) {
    if (groups[at]?.there !== true) continue;
    tools.checked();
    if (bindings[at]?.there || revoked[at]?.there) continue;
    const message = "the namespace does not know this node's device";
    yield { key, message, expected: deviceId, severity: "warning" };
  }
}

export const ownDevice: Rule = {
  name: "own-device",
  relations: [37, 47],
  severity: "error",
  says: "The device that namespaces bind to this node has the public keys of the node's private keys.",
  means: "The node has other keys or another device than its peers know. Its peers refuse what it signs.",
  advice:
    "Restore a copy of the database that has the node's own rows. Without a copy, the node must join its namespaces again.",
  checks: [
    on(since011, GroupDeviceBinding, async function* (batches, tools) {
      const node = await ownNode(tools);
      for await (const rows of batches) {
        if (node === undefined) continue;
        for (const row of rows) yield* compare(row, node, tools);
      }
    }),
    on(since011, NamespaceParticipation, async function* (batches, tools) {
      const node = await ownNode(tools);
      for await (const rows of batches) if (node !== undefined) yield* unknownIn(rows, node, tools);
    }),
  ],
};
