/** Keys derived from other keys, ids of keys, and the signed bytes of their envelopes. */
import { concat } from "../bytes/concat.js";
import { b12, b32, identity, struct } from "../codec/index.js";
import { hkdfSha256, sha256 } from "../crypto/index.js";
import { invalidArgument } from "../errors.js";
import { EnvelopeRecipient, type KeyEnvelope } from "../payloads/envelope.js";
import { utf8 } from "./domain-digest.js";

/**
 * The AES-256 key under which values are encrypted at rest: HKDF-SHA256 of the master key, salt `calimero-dek-v` and
 * the version as a decimal, info `encryption` (schema 6). 32 bytes, both revisions. Versions begin at 1 and fit a byte.
 * @throws MerostoreError `INVALID_ARGUMENT` for an empty master key or a version outside 0 to 255
 */
export function dataEncryptionKey(masterKey: Uint8Array, version: number): Uint8Array {
  if (masterKey.length === 0) throw invalidArgument("the master key is empty");
  if (!Number.isInteger(version) || version < 0 || version > 255) {
    throw invalidArgument("the version of a data key must be a number from 0 to 255");
  }
  const salt = utf8(`calimero-dek-v${version}`);
  return hkdfSha256({ key: masterKey, salt, info: utf8("encryption"), length: 32 });
}

/** The id of a group key: SHA-256 of its 32 bytes (schema 4.8). Both revisions. */
export function keyId(groupKey: Uint8Array): Uint8Array {
  return sha256(groupKey);
}

const DOMAIN = utf8("calimero.keyenvelope.v1");
const Covered = struct("KeyEnvelopeSigned", {
  groupId: b32,
  recipient: EnvelopeRecipient,
  sender: b32,
  nonce: b12,
  ciphertext: identity,
});

/**
 * The bytes that the sender of a group key signs in core-0.11, not hashed (schema 4.6): `"calimero.keyenvelope.v1" ‖
 * group_id b32 ‖ recipient (tag u8, two b32) ‖ sender b32 ‖ nonce b12 ‖ ciphertext`, the last without a length. The key
 * is `sender`.
 */
export function keyEnvelopeSigningBytes(groupId: Uint8Array, envelope: KeyEnvelope): Uint8Array {
  const { recipient, sender, nonce, ciphertext } = envelope;
  return concat(DOMAIN, Covered.encode({ groupId, recipient, sender, nonce, ciphertext }));
}
