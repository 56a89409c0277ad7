/** What an implementation of Ed25519 does: over `node:crypto`, or over @noble/ed25519 where there is no Node. */

/** An implementation. `verify` is the permissive rule of `ed25519.ts`; lengths have been checked. */
export interface Ed25519 {
  derivePublicKey(seed: Uint8Array): Uint8Array;
  sign(seed: Uint8Array, message: Uint8Array): Uint8Array;
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}
