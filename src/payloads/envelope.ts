/** Group keys and group operations as they travel in namespace operations: encrypted with AES-256-GCM. */
import { b12, b32, b64, bytes, type Decoded, enumOf, struct, vec } from "../codec/index.js";

/** A group operation under the group's key, the 16-byte tag at the end. From 16 bytes. */
export const EncryptedGroupOp = struct("EncryptedGroupOp", { nonce: b12, ciphertext: bytes });
export type EncryptedGroupOp = Decoded<typeof EncryptedGroupOp>;

/** A group key for one member. `ephemeralPk` is the sender's own public key. From 80 bytes. */
export const KeyEnvelope010 = struct("KeyEnvelope", {
  recipient: b32,
  ephemeralPk: b32,
  nonce: b12,
  ciphertext: bytes,
});
export type KeyEnvelope010 = Decoded<typeof KeyEnvelope010>;

/** Who a group key is for in core-0.11: a member, or one of its devices (X25519). 65 bytes. */
export const EnvelopeRecipient = enumOf("EnvelopeRecipient", {
  Member: { identity: b32, ephemeralPk: b32 },
  Device: { device: b32, ephemeralPk: b32 },
});
export type EnvelopeRecipient = Decoded<typeof EnvelopeRecipient>;

/** A group key for one recipient in core-0.11, signed by its sender. From 177 bytes. */
export const KeyEnvelope = struct("KeyEnvelope", {
  recipient: EnvelopeRecipient,
  sender: b32,
  nonce: b12,
  ciphertext: bytes,
  signature: b64,
});
export type KeyEnvelope = Decoded<typeof KeyEnvelope>;

/** A new group key for everyone who stays. From 36 bytes. */
export const KeyRotation010 = struct("KeyRotation", { newKeyId: b32, envelopes: vec(KeyEnvelope010) });
export type KeyRotation010 = Decoded<typeof KeyRotation010>;

/** The same in core-0.11. From 36 bytes. */
export const KeyRotation = struct("KeyRotation", { newKeyId: b32, envelopes: vec(KeyEnvelope) });
export type KeyRotation = Decoded<typeof KeyRotation>;
