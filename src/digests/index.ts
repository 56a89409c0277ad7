/**
 * What follows from values and payloads by computation: ids, hashes, and the bytes that signatures cover. A name without
 * suffix holds for core-0.10, and for core-0.11 too unless there is one with the suffix `011`.
 */
export {
  accountId,
  deviceCertDigest,
  deviceId,
  deviceRevocationDigest,
  endorsementDigest,
  handoffDigest,
} from "./account.js";
export {
  actionDigest,
  actionDigest011,
  actionSignature,
  actionSignature011,
  type SignatureBy,
} from "./action.js";
export { bundleApplicationId, moduleApplicationId } from "./application-id.js";
export { blobId, blobRootId, CHUNK_SIZE } from "./blob-id.js";
export { dataEncryptionKey } from "./data-key.js";
export { type DeltaEnvelope, deltaSigningBytes011 } from "./delta-envelope.js";
export { deltaId, deltaId011 } from "./delta-id.js";
export { applicationStateId, collectionId, mapEntryId, rotationLogId011 } from "./entity-id.js";
export { keyEnvelopeSigningBytes011, keyId } from "./group-key.js";
export {
  groupOpId,
  groupOpId011,
  groupOpSigningBytes,
  groupOpSigningBytes011,
} from "./group-operation.js";
export { invitationDigest, invitationDigest011 } from "./invitation.js";
export {
  namespaceOpId,
  namespaceOpId011,
  namespaceOpSigningBytes,
  namespaceOpSigningBytes011,
} from "./namespace-operation.js";
export { fullHash, fullHash011, ownHash } from "./state-hash.js";
export { entryStateKey, indexStateKey, privateStateKey, syncStateKey } from "./state-key.js";
