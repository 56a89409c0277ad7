/** Nonces that were used in a group: what keeps an operation from being applied twice. */
import type { GroupLocalGovNonceWindowValue } from "../../values/index.js";

/** A nonce further above the floor is not kept. */
const FARTHEST = 1n << 20n;
/** So many nonces are kept above the floor. */
const MOST = 4096;

/** The nonces used by one signer in one group. */
export class NonceWindow {
  #floor = 0n;
  #last = 0n;
  readonly #above = new Set<bigint>();

  /** The greatest nonce. */
  get last(): bigint {
    return this.#last;
  }

  add(nonce: bigint): void {
    if (nonce > this.#last) this.#last = nonce;
    if (nonce <= this.#floor || nonce > this.#floor + FARTHEST || this.#above.size >= MOST) return;
    this.#above.add(nonce);
    while (this.#above.delete(this.#floor + 1n)) this.#floor++;
  }

  /** As the row has it. */
  value(): GroupLocalGovNonceWindowValue {
    return { floor: this.#floor, above: [...this.#above].toSorted((a, b) => (a < b ? -1 : 1)) };
  }
}
