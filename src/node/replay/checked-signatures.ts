/** Signatures inside operations, each verified once, however often the operations are applied. */
import { toHex } from "../../bytes/hex.js";
import { verify } from "../../crypto/index.js";

/** The signatures of one namespace that were verified. */
export class CheckedSignatures {
  readonly #verdicts = new Map<string, boolean>();

  /** Returns whether a key signed a digest. */
  isValid(key: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
    const name = toHex(key) + toHex(digest) + toHex(signature);
    const known = this.#verdicts.get(name);
    if (known !== undefined) return known;
    const verdict = verify(key, digest, signature, { strict: true });
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}
