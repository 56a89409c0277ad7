/** Keys of groups that operations prove: this node made or read one with the key, or was handed the key. */
import { equalBytes } from "../../../src/bytes/order.js";
import * as key from "../../../src/keys/index.js";
import type * as values from "../../../src/values/index.js";
import type { Database } from "./database.js";

type Bytes = Uint8Array;

/** Returns whether an operation proves that the node had the key, which no other row holds. */
export function provesKey(db: Database, at: key.GroupKeyEntry): boolean {
  return isUsed(db, at) || isOnlyKeyOfOwnGroup(db, at);
}

/** Returns whether the node made the group and has no other key of it. */
function isOnlyKeyOfOwnGroup(db: Database, { groupId }: key.GroupKeyEntry): boolean {
  const keys = db
    .all<key.GroupKeyEntry, unknown>("GroupKeyEntry")
    .filter((row) => equalBytes(row.key.groupId, groupId));
  if (db.schema.name !== "core-0.11" || keys.length > 1 || !db.has(new key.GroupMeta({ groupId })))
    return false;
  return db.all<key.NamespaceGovOp, values.NamespaceGovOpValue011>("NamespaceGovOp").some((row) => {
    const entry = row.value.skeletonBytes.decode();
    if (entry.kind !== "Signed" || entry.value.op.kind !== "Root") return false;
    const { value: op } = entry.value.op;
    const { namespaceId } = row.key;
    const made =
      op.kind === "NamespaceCreated" ? namespaceId : op.kind === "GroupCreated" ? op.groupId : undefined;
    return (
      made !== undefined && equalBytes(made, groupId) && isOwn(db, namespaceId, groupId, entry.value.signer)
    );
  });
}

function isUsed(db: Database, { groupId, keyId }: key.GroupKeyEntry): boolean {
  return db.all<key.NamespaceGovOp, values.NamespaceGovOpValue011>("NamespaceGovOp").some((row) => {
    const entry = row.value.skeletonBytes.decode();
    if (entry.kind !== "Signed" || entry.value.op.kind !== "Group") return false;
    const { op, signer, nonce, signature } = entry.value;
    const { namespaceId } = row.key;
    const elsewhere = [op.groupId, namespaceId].filter((id) => !equalBytes(id, groupId));
    if (
      elsewhere.length === 2 ||
      elsewhere.some((id) => db.has(new key.GroupKeyEntry({ groupId: id, keyId })))
    )
      return false;
    const named = [op.keyId];
    const made = isOwn(db, namespaceId, op.groupId, signer);
    const read = made || wasRead(db, op.groupId, { signer, nonce, signature });
    const rotation = db.schema.name === "core-0.11" ? op.keyRotation : null;
    const device = db.get<values.NodeDeviceIdentityValue>(new key.NodeDeviceIdentity({}))?.deviceId;
    const handed = rotation?.envelopes.some(
      ({ recipient }) =>
        recipient.kind === "Device" && device !== undefined && equalBytes(recipient.device, device),
    );
    if (rotation !== null && (made || handed)) named.push(rotation.newKeyId);
    return (
      read && db.has(new key.GroupMeta({ groupId: op.groupId })) && named.some((id) => equalBytes(id, keyId))
    );
  });
}

function isOwn(db: Database, namespaceId: Bytes, groupId: Bytes, signer: Bytes): boolean {
  const node = db.get<values.NodeIdentityValue>(new key.NodeIdentity({}));
  const inNamespace = db.get<values.NamespaceIdentityValue>(new key.NamespaceIdentity({ namespaceId }));
  const own = db.schema.name === "core-0.11" ? node?.publicKey : inNamespace?.publicKey;
  if (own !== undefined && equalBytes(own, signer)) return true;
  return db.schema.name === "core-0.10" && db.has(new key.GroupSigningKey({ groupId, publicKey: signer }));
}

interface Signed {
  readonly signer: Bytes;
  readonly nonce: bigint;
  readonly signature: Bytes;
}

function wasRead(db: Database, groupId: Bytes, { signer, nonce, signature }: Signed): boolean {
  const logged = db
    .all<key.GroupOpLog, { decode(): Signed }>("GroupOpLog")
    .map((row) => ({ ...row.value.decode(), of: row.key.groupId }));
  if (db.schema.name === "core-0.11") return logged.some((one) => equalBytes(one.signature, signature));
  const last = db.get<bigint>(new key.GroupLocalGovNonce({ groupId, signer }));
  const direct = logged.some(
    (one) => equalBytes(one.of, groupId) && equalBytes(one.signer, signer) && one.nonce === nonce,
  );
  return last === nonce && !direct;
}
