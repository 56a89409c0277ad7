/** Operations by their signatures, and the signatures inside them, while a namespace is read. */
import { toHex } from "../../bytes/hex.js";
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";
import { verify } from "../../crypto/index.js";

/**
 * Numbers of operations by the second half of their signatures. A signer can give two operations the same first half,
 * but the second half depends on the signed bytes.
 */
export class Signatures {
  readonly #halves = new IdTable();
  readonly #numbers: number[] = [];

  /** Adds the signature of an operation, 64 bytes. Of signatures with the same half, the first counts. */
  add(signature: Uint8Array, number: number): void {
    const place = this.#halves.add(signature, ID_BYTES);
    if (place === this.#numbers.length) this.#numbers.push(number);
  }

  /** The number of the operation with a signature; undefined if absent. */
  numberOf(signature: Uint8Array): number | undefined {
    return this.#numbers[this.#halves.find(signature, ID_BYTES)];
  }
}

/** The signatures of one namespace that were verified: each once, however often the operations are applied. */
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
