/**
 * Encoding of a storage type for delta ids and the action digests of core-0.10: the 64 bytes of a signature are
 * replaced by zeros (schema 4.2, `S`).
 */
import { StorageType, StorageType010, StorageType011 } from "../payloads/storage-type.js";

const NO_SIGNATURE = new Uint8Array(64);

/** S: borsh(StorageType) with a zeroed signature. 1, 34 or 106 bytes. */
export function unsignedStorageType010(type: StorageType010): Uint8Array {
  if (type.kind !== "User" || type.signatureData === null) return StorageType010.encode(type);
  const signatureData = { ...type.signatureData, signature: NO_SIGNATURE };
  return StorageType010.encode({ ...type, signatureData });
}

/** The same in core-0.11: nonce and signer are kept. From 1 byte. */
export function unsignedStorageType011(type: StorageType011): Uint8Array {
  if (type.kind === "Public" || type.kind === "Frozen" || type.signatureData === null) {
    return StorageType011.encode(type);
  }
  const signatureData = { ...type.signatureData, signature: NO_SIGNATURE };
  return StorageType011.encode({ ...type, signatureData });
}

/** The same in core-1.0, also without the signature's account. From 1 byte. */
export function unsignedStorageType(type: StorageType): Uint8Array {
  if (type.kind === "Public" || type.kind === "Frozen" || type.signatureData === null) {
    return StorageType.encode(type);
  }
  const signatureData = { ...type.signatureData, signature: NO_SIGNATURE, onBehalf: null };
  return StorageType.encode({ ...type, signatureData });
}
