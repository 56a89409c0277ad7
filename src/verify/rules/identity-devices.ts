/** Identities in contexts: each belongs to a member's device or, in core-0.10, to a member. */
import { concat } from "../../bytes/concat.js";
import { IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import { sha256 } from "../../crypto/index.js";
import {
  ContextGroupRef,
  ContextIdentity,
  GroupDeviceBinding,
  GroupMember010,
  GroupRevokedDevice,
  NamespaceGovHead,
} from "../../keys/index.js";
import { runsById } from "../batches.js";
import { on, onBatch, type Rule } from "../rule.js";
import { only010, type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { pathOfContext } from "./group-path.js";
import { ownNode } from "./own-node.js";

export const identityDevice: Rule = {
  name: "identity-device",
  relations: [45, 47],
  severity: "warning",
  says: "An identity in a context belongs to a device that the context's group knows, or in core-0.10 to a member.",
  means: "The identity belongs to a former device or member, or the row does not belong to the context.",
  advice: "Nothing for an info. For a warning, let the node sync, then verify again.",
  checks: [
    onBatch(only010, ContextIdentity, async function* (rows, tools) {
      const others = rows.filter(({ value }) => value.privateKey === null);
      const groups = await tools.join(others, ({ key: { contextId } }) => new ContextGroupRef({ contextId }));
      const inGroups = groups.flatMap(([row, { value: groupId }]) =>
        groupId === undefined ? [] : [{ ...row, groupId }],
      );
      tools.checked(inGroups.length);
      for (const [{ key }, { there }] of await tools.join(
        inGroups,
        ({ key, groupId }) => new GroupMember010({ groupId, identity: key.publicKey }),
      )) {
        const message = "the identity belongs to no member of the context's group, or no more";
        if (!there) yield { key, message, found: key.publicKey, severity: "info" };
      }
    }),
    on(since011, ContextIdentity, async function* (batches, tools) {
      let devices: Awaited<ReturnType<typeof readDevices>> | undefined;
      const node = await ownNode(tools);
      let path: readonly Uint8Array[] | undefined;
      for await (const { id, rows, begins } of runsById(batches, ({ key }) => key.contextId)) {
        if (begins) path = await pathToNamespace(id, tools);
        // An identity with its own private key was made for this context alone. Another rule checks the node's own
        // identity.
        const keyless = rows.filter(({ key: { publicKey }, value }) => {
          return value.privateKey === null && (node === undefined || !equalBytes(publicKey, node.publicKey));
        });
        if (path === undefined || keyless.length === 0) continue;
        tools.checked(keyless.length);
        devices ??= await readDevices(tools);
        const { keys, changed } = devices;
        for (const { key } of keyless) {
          if (path.some((groupId) => keys.has(nameOf(groupId, key.publicKey)))) continue;
          const gone = path.some((groupId) => changed.has(groupId));
          const message = `the group ${gone ? "no longer knows" : "knows no"} a device with this identity`;
          yield { key, message, found: key.publicKey, severity: gone ? "info" : "warning" };
        }
      }
    }),
  ],
};

/** The path from the group of a context up; undefined if it does not end at a namespace, which other rules report. */
async function pathToNamespace(
  contextId: Uint8Array,
  tools: Tools<Since011>,
): Promise<readonly Uint8Array[] | undefined> {
  const path = await pathOfContext(contextId, tools);
  const namespaceId = path?.at(-1);
  if (namespaceId === undefined) return undefined;
  const [head] = await tools.find([new NamespaceGovHead({ namespaceId })]);
  return head?.there ? path : undefined;
}

/** The signing keys of devices, and the groups that revoked a device or got a newer certificate for one. */
async function readDevices(
  tools: Tools<Since011>,
): Promise<{ readonly keys: IdTable; readonly changed: IdTable }> {
  const [keys, changed] = [new IdTable(), new IdTable()];
  for await (const rows of tools.scan(GroupDeviceBinding.range({})))
    for (const { key, value } of rows) {
      keys.add(nameOf(key.groupId, value.signPk));
      if (value.deviceEpoch > 0) changed.add(key.groupId);
    }
  for await (const rows of tools.scan(GroupRevokedDevice.range({})))
    for (const { key } of rows) changed.add(key.groupId);
  return { keys, changed };
}

function nameOf(groupId: Uint8Array, publicKey: Uint8Array): Uint8Array {
  return sha256(concat(groupId, publicKey));
}
