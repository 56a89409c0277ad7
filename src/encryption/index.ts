/**
 * Encryption at rest: reads and writes values as a node in a confidential machine stores them, with its master key. It
 * runs anywhere: with `node:crypto` in Node, with Web Crypto in browsers.
 *
 * @example
 * import { openStore } from "merostore";
 *
 * const masterKey = () => Promise.resolve(new Uint8Array(48).fill(0x42)); // from a file, or a key service
 * await using store = await openStore("encrypted/data", { masterKey });
 *
 * @module
 */
export { UndecryptedBytes } from "../bytes/undecrypted.js";
export { countEncryption, type EncryptionCount } from "./count.js";
export { deriveKey } from "./derived-keys.js";
export { EncryptedEngine, type OpenedRow, type RowEncryption } from "./encrypted-engine.js";
export { type MasterKey, masterKeyBytes, masterKeyFromHex } from "./master-key.js";
export { type EncryptionOptions, openEncrypted } from "./open.js";
export {
  associatedDataOf,
  ENCRYPTION_OVERHEAD,
  type EncryptionRule,
  encryptionRules,
  ruleOfRevision,
} from "./rule.js";
export { type CipherOptions, type DecryptedValue, openCipher, ValueCipher } from "./value-cipher.js";
export { type EncryptionState, recogniseEncryption } from "./votes.js";

// For the other folders of this package alone.

/** @internal */
export { checkKeyForWriting, isMasterKey, KEY_FILE_BYTES } from "./master-key.js";
/** @internal */
export { encryptionOptions, openTaking, openWithoutKey, refuseEncrypted } from "./open.js";
/** @internal */
export { mayBePlain, provesPlain } from "./plain-row.js";
/** @internal */
export { addVote, noVotes } from "./votes.js";
