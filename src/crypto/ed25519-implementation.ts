/** The interface of the two implementations of Ed25519: `node:crypto`, and @noble/ed25519 outside Node. */

/** An implementation. `verify` follows the permissive rule of `ed25519.ts`. Callers have checked all lengths. */
export interface Ed25519 {
  /** The public key of a seed of 32 bytes: 32 bytes. */
  derivePublicKey(seed: Uint8Array): Uint8Array;
  /** The signature of a message: 64 bytes. */
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
  /** Returns whether a signature of 64 bytes is valid. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}
