/** The bytes of an encrypted value: `version (1) ‖ nonce (12) ‖ ciphertext ‖ tag (16)`. */
import { isByteArray } from "../bytes/bytes.js";
import { checkArgument } from "../options.js";

/** Bytes of the version and the nonce. */
export const HEADER_SIZE = 13;

/**
 * The bytes that encryption adds to a value: version (1), nonce (12), tag (16). An encrypted value has at least so many
 * bytes.
 */
export const ENCRYPTION_OVERHEAD = 29;

/** The version that nodes write. */
export const WRITTEN_VERSION = 1;

/**
 * The names of the two rules of associated data, after the revisions whose nodes follow them. `core-0.10` has no
 * associated data; in `core-0.11` it is the version and the nonce. Nodes of one rule cannot read rows of the other.
 */
export const encryptionRules = ["core-0.10", "core-0.11"] as const;

/** A rule of associated data. */
export type EncryptionRule = (typeof encryptionRules)[number];

const NONE = new Uint8Array(0);

/** Returns the associated data of a value that begins with these bytes. */
export function associatedDataOf(rule: EncryptionRule, value: Uint8Array): Uint8Array {
  checkArgument("associatedDataOf", value, isByteArray);
  return rule === "core-0.10" ? NONE : value.subarray(0, HEADER_SIZE);
}

/** Returns the rule of a revision's nodes: `core-0.11` for all except core-0.10. */
export function ruleOfRevision(revision: string | undefined): EncryptionRule {
  return revision === "core-0.10" ? "core-0.10" : "core-0.11";
}
