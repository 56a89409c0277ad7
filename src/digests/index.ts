/**
 * Computation of ids, hashes, and the bytes that signatures cover. A name without suffix is the rule of the newest revision
 * that has one; an older rule has the suffix `010` or `011`.
 */
export {
  accountId,
  deviceCertDigest,
  deviceId,
  deviceRevocationDigest,
  deviceScopeDigest,
  endorsementDigest,
  handoffDigest,
} from "./account.js";
export {
  actionDigest,
  actionDigest010,
  actionSignature,
  actionSignature010,
  possibleActionDigests,
  type SignatureBy,
} from "./action.js";
export { bundleApplicationId, moduleApplicationId } from "./application-id.js";
export { blobId, blobRootId, CHUNK_SIZE } from "./blob-id.js";
export {
  type BuiltTrie,
  childTrie,
  childTrieAddress,
  childTrieHash,
  nibbleAt,
  type PlacedTrieRow,
} from "./child-trie.js";
export { dataEncryptionKey } from "./data-key.js";
export { type DeltaEnvelope011, deltaSigningBytes011, earlierDeltaSigningBytes } from "./delta-envelope.js";
export { eventsFragment, triggerFragment } from "./delta-fragments.js";
export {
  type CoveredAction,
  type DeltaOfAnyRule,
  deltaId,
  deltaId010,
  deltaId011,
  eventsHash,
  possibleDeltaIds,
} from "./delta-id.js";
export {
  type DeltaEnvelope,
  type DeltaWarrant,
  delegatedDeltaSigningBytes,
  deltaSigningBytes,
  TeeTrigger,
  teeDeltaSigningBytes,
} from "./delta-signature.js";
export { domainDigest } from "./domain-digest.js";
export { applicationStateId, collectionId, mapEntryId, rotationLogId } from "./entity-id.js";
export { createdGroupId, foundedNamespaceId } from "./founded-id.js";
/** @internal */
export { type DecryptedGroupOp, decodedGroupOp, decryptGroupOp } from "./group-decryption.js";
/** @internal */
export { decryptGroupOps } from "./group-decryption-batch.js";
export { keyEnvelopeSigningBytes, keyId } from "./group-key.js";
export {
  groupOpId,
  groupOpId010,
  groupOpId011,
  groupOpSigningBytes,
  groupOpSigningBytes010,
  groupOpSigningBytes011,
} from "./group-operation.js";
export { type GroupState, groupStateHash } from "./group-state-hash.js";
export { invitationDigest, invitationDigest010, invitationDigest011 } from "./invitation.js";
export {
  admittedCountId,
  cellId,
  cellValueId,
  isKeyedOwnedId,
  isOwnedInSlot,
  markedCollectionId,
  markedEntryId,
  ownedEntryId,
  teeOnlyId,
  writtenOnceSealId,
} from "./marked-id.js";
export {
  admitterSigningBytes,
  namespaceOpId,
  namespaceOpId010,
  namespaceOpId011,
  namespaceOpSigningBytes,
  namespaceOpSigningBytes010,
  namespaceOpSigningBytes011,
} from "./namespace-operation.js";
export { fullHash, fullHash010, fullHash011, ownHash } from "./state-hash.js";
export { entryStateKey, indexStateKey, privateStateKey, syncStateKey } from "./state-key.js";
export {
  contextCreationWarrantDigests,
  governanceOpHash,
  governanceWarrantDigest,
  intentHash,
  ownerConsentDigest,
  ownerOpDigest,
  warrantDigest,
  warrantDigestA,
  warrantDigestB,
} from "./warrant.js";
