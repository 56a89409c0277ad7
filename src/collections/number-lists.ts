/** Short lists of numbers, one after another in one array: a separate array for each would take sixty bytes more. */

import { grown } from "../bytes/bytes.js";

/** Lists of numbers from 0 to 2^32 - 1, which are kept and never changed. */
export class NumberLists {
  #numbers = new Uint32Array(1024);
  #used = 0;

  /** Keeps a list. Returns its place. */
  add(list: readonly number[]): number {
    const place = this.#used;
    this.#used += 1 + list.length;
    if (this.#used > this.#numbers.length)
      this.#numbers = grown(this.#numbers, new Uint32Array(Math.max(2 * this.#numbers.length, this.#used)));
    this.#numbers[place] = list.length;
    this.#numbers.set(list, place + 1);
    return place;
  }

  /** The list at a place, as a view. */
  at(place: number): Uint32Array {
    const { buffer, BYTES_PER_ELEMENT } = this.#numbers;
    return new Uint32Array(buffer, (place + 1) * BYTES_PER_ELEMENT, this.#numbers[place]);
  }
}
