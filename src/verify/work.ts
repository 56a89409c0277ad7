/** Hashes and signatures, many at once. */
import { sha256, verify } from "../crypto/index.js";
import { Pause } from "../pause.js";

/** A signature, with the message and the key that it should belong to. */
export interface Signed {
  /** The Ed25519 public key of the signer, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The signed bytes. */
  readonly message: Uint8Array;
  /** The signature, 64 bytes. */
  readonly signature: Uint8Array;
  /** True to verify as strictly as core-0.11 does. core-0.10 accepts more signatures. */
  readonly strict: boolean;
}

/** Computes hashes and verifies signatures, many at once. */
export interface Work {
  /** The SHA-256 of each message. */
  sha256(messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]>;
  /** Returns whether each signature is right. */
  verify(signed: readonly Signed[]): Promise<readonly boolean[]>;
}

/** Does the work on the calling thread. */
export const workHere: Work = {
  sha256(messages) {
    return inTurns(messages, (message) => sha256(message));
  },
  verify(signed) {
    return inTurns(signed, ({ publicKey, message, signature, strict }) =>
      verify(publicKey, message, signature, { strict }),
    );
  },
};

async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<readonly R[]> {
  const results: R[] = [];
  const pause = new Pause();
  for (const item of items) {
    results.push(work(item));
    if (pause.isLong) await pause.ifLong();
  }
  return results;
}
