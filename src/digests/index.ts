/**
 * Computes ids, hashes and the bytes that signatures cover, and exports the functions for these computations. A name
 * without suffix is the rule of the newest revision that has one; an older rule has the suffix `010` or `011`.
 */
export * from "../crypto/index.js";
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
export {
  type BuiltTrie,
  childTrie,
  childTrieAddress,
  childTrieHash,
  nibbleAt,
  type PlacedTrieRow,
} from "./child-trie.js";
export {
  type CoveredAction,
  type DeltaOfAnyRule,
  deltaId,
  deltaId010,
  deltaId011,
  eventsFragment,
  eventsHash,
  possibleDeltaIds,
  triggerFragment,
} from "./delta-id.js";
export {
  type DeltaEnvelope,
  type DeltaEnvelope011,
  type DeltaWarrant,
  delegatedDeltaSigningBytes,
  deltaSigningBytes,
  deltaSigningBytes011,
  earlierDeltaSigningBytes,
  TeeTrigger,
  teeDeltaSigningBytes,
} from "./delta-signature.js";
export { dataEncryptionKey, keyEnvelopeSigningBytes, keyId } from "./derived-keys.js";
export { domainDigest } from "./domain-digest.js";
export type { DecryptedGroupOp } from "./group-decryption.js";
/** @internal */
export {
  decodedGroupOp,
  decryptGroupOp,
  decryptGroupOps,
} from "./group-decryption.js";
export { type GroupState, groupStateHash } from "./group-state-hash.js";
export {
  blobId,
  blobRootId,
  bundleApplicationId,
  CHUNK_SIZE,
  createdGroupId,
  foundedNamespaceId,
  moduleApplicationId,
} from "./ids.js";
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
  groupOpId,
  groupOpId010,
  groupOpId011,
  groupOpSigningBytes,
  groupOpSigningBytes010,
  groupOpSigningBytes011,
  namespaceOpId,
  namespaceOpId010,
  namespaceOpId011,
  namespaceOpSigningBytes,
  namespaceOpSigningBytes010,
  namespaceOpSigningBytes011,
} from "./operations.js";
export {
  applicationStateId,
  collectionId,
  entryStateKey,
  fullHash,
  fullHash010,
  fullHash011,
  indexStateKey,
  mapEntryId,
  ownHash,
  privateStateKey,
  rotationLogId,
  syncStateKey,
} from "./state.js";
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

// Ids in steps:

/** @internal */
export { hashing010, hashing011, possibleHashings } from "./delta-id.js";

// Signed operations of any revision:

/** @internal */
export { anyGroupOp, anyNamespaceOp } from "./operations.js";
