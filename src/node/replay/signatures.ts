/** Operations by their signatures, while a namespace is read. */
import { ID_BYTES, IdTable } from "../../bytes/id-table.js";

/**
 * Numbers of operations by the second half of their signatures. A signer can give two operations the same first half,
 * but the second half depends on the signed bytes.
 */
export class Signatures {
  readonly #halves = new IdTable();
  readonly #numbers: number[] = [];

  /** Adds the signature of an operation, 64 bytes. Of those with the same half the first one counts. */
  add(signature: Uint8Array, number: number): void {
    const place = this.#halves.add(signature, ID_BYTES);
    if (place === this.#numbers.length) this.#numbers.push(number);
  }

  /** The number of the operation with a signature; undefined if absent. */
  numberOf(signature: Uint8Array): number | undefined {
    return this.#numbers[this.#halves.find(signature, ID_BYTES)];
  }
}
