/** Keys of groups: if this node could read an operation, or made it, then it had the key. */

import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { equalBytes } from "../../bytes/order.js";
import {
  GroupKeyEntry,
  GroupLocalGovNonce,
  GroupMeta,
  GroupOpLog,
  GroupSigningKey,
  NamespaceGovOp,
  NamespaceIdentity,
} from "../../keys/index.js";
import type { Core010 } from "../../schemas/index.js";
import type { RowFinding } from "../finding.js";
import { on, onBatch, type Rule } from "../rule.js";
import { only010, type Since010, type Since011, since011 } from "../since.js";
import type { Tools } from "../tools.js";
import { type OwnNode, ownNode } from "./own-node.js";
import { operationsIn } from "./signed-operations.js";

/** A key that an operation names: the key that encrypts it, or the new key that it distributes. */
interface NamedKey {
  /** The row of the operation on the namespace. */
  readonly key: NamespaceGovOp;
  readonly groupId: Uint8Array;
  readonly keyId: Uint8Array;
  readonly signer: Uint8Array;
  readonly nonce: bigint;
  readonly signature: Uint8Array;
  readonly isNew: boolean;
}

/** The proof that the node had a key. */
type Proof = "read" | "made" | undefined;

const READ = "the node has applied the operation, and the group key that it is encrypted under is not there";
/**
 * Not an error: after a restore of the database, a node fetches its own later operations from peers, without the keys.
 */
const MADE = "the node made the operation, and the group key that it is encrypted under is not there";
const NEW = "the operation handed the node a new group key, which is not there";

export const operationKey: Rule = {
  name: "operation-key",
  relations: [50],
  severity: "error",
  says: "The group keys of operations that this node applied or made are there.",
  means: "The node has lost a key, and cannot read all operations of the group.",
  advice:
    "Restore a copy of the database that has the key, or ask a member of the group to share the key again.",
  checks: [
    onBatch(only010, NamespaceGovOp, async function* (rows, tools) {
      const named = operationsIn(rows).flatMap(({ key, operation }): NamedKey[] =>
        operation.op.kind === "Group" ? [{ key, ...operation, ...operation.op, isNew: false }] : [],
      );
      for (const one of await missing(named, tools)) yield* finding(one, await proof010(one, tools));
    }),
    on(since011, NamespaceGovOp, async function* (batches, tools) {
      const node = await ownNode(tools);
      let logged: IdTable | undefined;
      for await (const rows of batches) {
        const named = operationsIn(rows).flatMap(({ key, operation: signed }): NamedKey[] => {
          if (signed.op.kind !== "Group") return [];
          const { keyRotation, ...op } = signed.op;
          const operation: NamedKey = { key, ...signed, ...op, isNew: false };
          const reached =
            keyRotation !== null &&
            node !== undefined &&
            (equalBytes(operation.signer, node.publicKey) ||
              keyRotation.envelopes.some(({ recipient }) => isFor(recipient, node)));
          return reached
            ? [operation, { ...operation, keyId: keyRotation.newKeyId, isNew: true }]
            : [operation];
        });
        for (const one of await missing(named, tools)) {
          logged ??= await signaturesInLogs(tools);
          const own = node !== undefined && equalBytes(one.signer, node.publicKey);
          yield* finding(one, logged.has(one.signature, ID_BYTES) ? "read" : own ? "made" : undefined);
        }
      }
    }),
  ],
};

function* finding({ key, keyId, isNew }: NamedKey, proof: Proof): Iterable<RowFinding> {
  if (proof === undefined) return;
  const severity = proof === "read" && !isNew ? "error" : "warning";
  yield { key, message: isNew ? NEW : proof === "read" ? READ : MADE, expected: keyId, severity };
}

/** The missing keys of groups that exist: deleting a group deletes its keys. */
async function missing(named: readonly NamedKey[], tools: Tools<Since010>): Promise<readonly NamedKey[]> {
  tools.checked(named.length);
  const ofGroups = await tools.find(named.map(({ groupId, keyId }) => new GroupKeyEntry({ groupId, keyId })));
  // Open subgroups of core-0.11 use the keys of the namespace.
  const ofNamespaces = await tools.find(
    named.map(({ key, keyId }) => new GroupKeyEntry({ groupId: key.namespaceId, keyId })),
  );
  const lost = named.filter((_, at) => ofGroups[at]?.there === false && ofNamespaces[at]?.there === false);
  const groups = await tools.join(lost, ({ groupId }) => new GroupMeta({ groupId }));
  return groups.flatMap(([one, { there }]) => (there ? [one] : []));
}

type Recipient = { readonly kind: string; readonly device?: Uint8Array; readonly identity?: Uint8Array };

function isFor({ device, identity }: Recipient, { deviceId, publicKey }: OwnNode): boolean {
  if (device !== undefined) return equalBytes(device, deviceId);
  return identity !== undefined && equalBytes(identity, publicKey);
}

/**
 * In core-0.11 a node logs each operation that it can read, with the signature of the namespace operation that brought
 * it. Only the second half of a signature is kept: a signer can give two operations the same first half, but the second
 * half depends on the signed bytes.
 */
async function signaturesInLogs(tools: Tools<Since011>): Promise<IdTable> {
  const signatures = new IdTable();
  for await (const rows of tools.scan(GroupOpLog.range({}))) {
    for (const { value } of rows)
      if (value.value !== undefined) signatures.add(value.value.signature, ID_BYTES);
  }
  return signatures;
}

/**
 * In core-0.10 a node keeps the nonce of the last applied operation of each signer. It logs only operations that did
 * not come through the namespace.
 */
async function proof010(
  { key: { namespaceId }, groupId, signer, nonce }: NamedKey,
  tools: Tools<Core010>,
): Promise<Proof> {
  const [identity] = await tools.find([new NamespaceIdentity({ namespaceId })]);
  const [signing] = await tools.find([new GroupSigningKey({ groupId, publicKey: signer })]);
  if (signing?.there || (identity?.value !== undefined && equalBytes(identity.value.publicKey, signer)))
    return "made";
  const [last] = await tools.find([new GroupLocalGovNonce({ groupId, signer })]);
  if (last?.value !== nonce) return undefined;
  for await (const rows of tools.scan(GroupOpLog.range({ groupId }))) {
    const isIt = ({ value: { value } }: (typeof rows)[number]) =>
      value !== undefined && value.nonce === nonce && equalBytes(value.signer, signer);
    if (rows.some(isIt)) return undefined;
  }
  return "read";
}
