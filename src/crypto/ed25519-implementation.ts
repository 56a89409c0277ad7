/** What an implementation of Ed25519 does: over `node:crypto`, or over @noble/ed25519 where there is no Node. */

/** An implementation. `verify` is the permissive rule of `ed25519.ts`; lengths have been checked. */
export interface Ed25519 {
  /** The public key of a seed of 32 bytes: 32 bytes. */
  derivePublicKey(seed: Uint8Array): Uint8Array;
  /** The signature of a message: 64 bytes. */
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
  /** Whether a signature of 64 bytes is right. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}
