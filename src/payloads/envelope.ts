/** Group keys and group operations as they travel in namespace operations: encrypted with AES-256-GCM. */
import {
  b12,
  b32,
  b64,
  bytes,
  type Codec,
  type Decoded,
  type EnumOf,
  enumOf,
  struct,
  vec,
} from "../codec/index.js";

/** A group operation under the group's key, the 16-byte tag at the end. From 16 bytes. */
export const EncryptedGroupOp = struct("EncryptedGroupOp", {
  /** AES-GCM nonce, 12 bytes. */
  nonce: b12,
  /** AES-256-GCM of a GroupOp in Borsh, without associated data; the tag is the last 16 bytes. */
  ciphertext: bytes,
});
export type EncryptedGroupOp = Decoded<typeof EncryptedGroupOp>;
const envelopeRecipient = {
  /** A member, by its Ed25519 key. */
  Member: {
    /** The member's Ed25519 public key, 32 bytes. */
    identity: b32,
    /** The sender's Ed25519 public key for the key agreement, 32 bytes. */
    ephemeralPk: b32,
  },
  /** A device, by its X25519 key. */
  Device: {
    /** The device's id, 32 bytes. */
    device: b32,
    /** The sender's X25519 public key for the key agreement, 32 bytes. */
    ephemeralPk: b32,
  },
};

/** The recipient of a group key: a member, or one of its devices. 65 bytes. */
export const EnvelopeRecipient: Codec<EnvelopeRecipient> = enumOf("EnvelopeRecipient", envelopeRecipient);
export type EnvelopeRecipient = EnumOf<typeof envelopeRecipient>;

/** A group key for one recipient, signed by its sender. From 177 bytes. */
export const KeyEnvelope = struct("KeyEnvelope", {
  /** The member or device that can open it. */
  recipient: EnvelopeRecipient,
  /** The sender's Ed25519 public key, 32 bytes. */
  sender: b32,
  /** AES-GCM nonce, 12 bytes. */
  nonce: b12,
  /** AES-256-GCM of the 32-byte group key, without associated data; the tag is the last 16 bytes. */
  ciphertext: bytes,
  /** Ed25519 signature by the sender over the group's id and the fields before it, 64 bytes. */
  signature: b64,
});
export type KeyEnvelope = Decoded<typeof KeyEnvelope>;

/** A group key for one member in core-0.10. From 80 bytes. */
export const KeyEnvelope010 = struct("KeyEnvelope", {
  /** The member that can open it: Ed25519 public key, 32 bytes. */
  recipient: b32,
  /** The sender's own Ed25519 public key, 32 bytes. */
  ephemeralPk: b32,
  /** AES-GCM nonce, 12 bytes. */
  nonce: b12,
  /** AES-256-GCM of the 32-byte group key, without associated data; the tag is the last 16 bytes. */
  ciphertext: bytes,
});
export type KeyEnvelope010 = Decoded<typeof KeyEnvelope010>;

/** A new group key for everyone who stays. From 36 bytes. */
export const KeyRotation = struct("KeyRotation", {
  /** Id of the new key: SHA-256 of the key, 32 bytes. */
  newKeyId: b32,
  /** The new key, once for each device that gets it. */
  envelopes: vec(KeyEnvelope),
});
export type KeyRotation = Decoded<typeof KeyRotation>;

/** A new group key for everyone who stays, in core-0.10. From 36 bytes. */
export const KeyRotation010 = struct("KeyRotation", {
  /** Id of the new key: SHA-256 of the key, 32 bytes. */
  newKeyId: b32,
  /** The new key, once for each member that gets it. */
  envelopes: vec(KeyEnvelope010),
});
export type KeyRotation010 = Decoded<typeof KeyRotation010>;
