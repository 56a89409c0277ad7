import { concat } from "../bytes/concat.js";
import { b12, b32, identity, struct } from "../codec/index.js";
import { sha256 } from "../crypto/index.js";
import { EnvelopeRecipient, type KeyEnvelope } from "../payloads/envelope.js";
import { utf8 } from "./utf8.js";

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
