/**
 * Digests of actions on guarded data. The message of the Ed25519 signature is the 32 bytes of a SHA-256 digest (schema
 * 4.3). In core-0.10 the genesis delta has zeros for signatures, and an owner whose index row came from a peer reuses
 * the old signature in its next update, so an invalid signature of that revision proves nothing.
 */
import { u64 } from "../codec/index.js";
import { sha256, sha256All } from "../crypto/index.js";
import type { Action010, Action011 } from "../payloads/action.js";
import type { Action } from "../payloads/action-list.js";
import { utf8 } from "./domain-digest.js";
import { guardBytes, possibleGuards } from "./guard.js";
import { unsignedStorageType010 } from "./unsigned.js";

/** A signature and the public key that should verify it. */
export interface SignatureBy {
  /** Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 signature, 64 bytes. */
  readonly signature: Uint8Array;
}

/**
 * core-0.10. SHA-256 of: Add, Update `"v1_upsert" ‖ id ‖ data ‖ (id ‖ merkle_hash) of each ancestor ‖ created_at u64 ‖
 * updated_at u64 ‖ S`; DeleteRef `"v1_delete" ‖ id ‖ deleted_at u64 ‖ created_at ‖ updated_at ‖ S`; Compare
 * `"v1_compare" ‖ id`, which is never signed. 32 bytes.
 */
export function actionDigest010(action: Action010): Uint8Array {
  if (action.kind === "Compare") return sha256(utf8("v1_compare"), action.id);
  const { createdAt, updatedAt, storageType } = action.metadata;
  const end = [u64.encode(createdAt), u64.encode(updatedAt), unsignedStorageType010(storageType)];
  return action.kind === "DeleteRef"
    ? sha256(utf8("v1_delete"), action.id, u64.encode(action.deletedAt), ...end)
    : sha256All([
        utf8("v1_upsert"),
        action.id,
        action.data,
        ...action.ancestors.flatMap(({ id, merkleHash }) => [id, merkleHash]),
        ...end,
      ]);
}

/**
 * core-0.11. SHA-256 of: Add, Update `"v2_upsert" ‖ id ‖ data ‖ A`; DeleteRef `"v2_delete" ‖ id ‖ deleted_at u64 ‖ A`,
 * where A is the guard of schema 4.3. 32 bytes.
 */
export function actionDigest(action: Action011): Uint8Array {
  return guardedDigest("v2", action, guardBytes(action.metadata.storageType));
}

function guardedDigest(version: "v2" | "v3", action: Action | Action011, guard: Uint8Array): Uint8Array {
  return action.kind === "DeleteRef"
    ? sha256(utf8(`${version}_delete`), action.id, u64.encode(action.deletedAt), guard)
    : sha256(utf8(`${version}_upsert`), action.id, action.data, guard);
}

/**
 * core-1.0. The digests that the signature of an action may cover. The sources do not say the places of the rules of
 * owned data and of the signature's account. Rules may come before the nonce or after the signer, and may be absent by
 * default. The account may come after the signer, and may be absent if it is null. The prefix may be the one of
 * core-0.11 or the next one.
 */
export function possibleActionDigests(action: Action): readonly Uint8Array[] {
  const guards = possibleGuards(action.metadata.storageType);
  return (["v2", "v3"] as const).flatMap((version) =>
    guards.map((guard) => guardedDigest(version, action, guard)),
  );
}

/** The signature of an action of core-0.10, to verify with the owner's key; undefined if it has none. */
export function actionSignature010(action: Action010): SignatureBy | undefined {
  if (action.kind === "Compare") return undefined;
  const { storageType } = action.metadata;
  if (storageType.kind !== "User" || storageType.signatureData === null) return undefined;
  return { publicKey: storageType.owner, signature: storageType.signatureData.signature };
}

/**
 * The signature of an action since core-0.11, to verify with the key of the device that signed; undefined if it has no
 * signature or names no signer. The rows of the group determine whether the device belongs to the owner.
 */
export function actionSignature({ metadata }: Action | Action011): SignatureBy | undefined {
  const { storageType } = metadata;
  if (storageType.kind === "Public" || storageType.kind === "Frozen") return undefined;
  const data = storageType.signatureData;
  return data === null || data.signer === null
    ? undefined
    : { publicKey: data.signer, signature: data.signature };
}
