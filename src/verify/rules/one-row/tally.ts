/**
 * The number of some ids, and a sum over them. Two sets with the same tally are equal, unless somebody constructed a
 * collision.
 */
export class Tally {
  /** The number of ids. */
  count = 0;
  #sum = 0;

  /** Adds an id of 32 bytes. */
  add(id: Uint8Array): void {
    const view = new DataView(id.buffer, id.byteOffset, id.byteLength);
    this.count++;
    this.#sum = (this.#sum + view.getUint32(0) + 3 * view.getUint32(12) + 7 * view.getUint32(28)) % MODULUS;
  }

  /** Returns true if the other tally has the same ids, added in any order. */
  equals(other: Tally): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }

  /** Adds the ids of another tally. */
  take(other: Tally): void {
    this.count += other.count;
    this.#sum = (this.#sum + other.#sum) % MODULUS;
  }
}

const MODULUS = 2 ** 47;
