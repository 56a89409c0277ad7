/** Nonces that were used in a group. They keep an operation from being applied twice. */

/** A nonce further above the floor is not kept. */
const FARTHEST = 1n << 20n;
/** The number of nonces that are kept above the floor. */
const MOST = 4096;

/** The nonces used by one signer in one group, with the fields of their row. */
export class NonceWindow {
  #floor = 0n;
  #last = 0n;
  readonly #above = new Set<bigint>();

  /** The greatest nonce. */
  get last(): bigint {
    return this.#last;
  }

  /** All nonces up to this one were used. */
  get floor(): bigint {
    return this.#floor;
  }

  /** Nonces above the floor that were used, ascending. */
  get above(): bigint[] {
    return [...this.#above].sort((a, b) => (a < b ? -1 : 1));
  }

  add(nonce: bigint): void {
    if (nonce > this.#last) this.#last = nonce;
    if (nonce <= this.#floor || nonce > this.#floor + FARTHEST || this.#above.size >= MOST) return;
    this.#above.add(nonce);
    while (this.#above.delete(this.#floor + 1n)) this.#floor++;
  }
}
