/** Columns of numbers that grow: an object for each row would take five times the memory. */

import { grown } from "../bytes/bytes.js";

/** Rows of an empty column. */
const FEW = 64;

/** Numbers of a list that is short enough to be on the heap. */
const SHORT = 16;

/** Numbers from 0 to 2^32 - 1 by rows; 0 where none was set. */
export class NumberColumn {
  #numbers = new Uint32Array(FEW);

  /** The number in a row. */
  get(row: number): number {
    return this.#numbers[row] ?? 0;
  }

  /** Sets the number in a row. */
  set(row: number, number: number): void {
    if (row >= this.#numbers.length)
      this.#numbers = grown(this.#numbers, new Uint32Array(Math.max(2 * this.#numbers.length, row + 1)));
    this.#numbers[row] = number;
  }
}

/** Numbers of 64 bits by rows; 0 where none was set. */
export class TimeColumn {
  #numbers = new BigUint64Array(FEW);

  /** The number in a row. */
  get(row: number): bigint {
    return this.#numbers[row] ?? 0n;
  }

  /** Sets the number in a row. */
  set(row: number, number: bigint): void {
    if (row >= this.#numbers.length)
      this.#numbers = grown(this.#numbers, new BigUint64Array(Math.max(2 * this.#numbers.length, row + 1)));
    this.#numbers[row] = number;
  }
}

/** A list of numbers from 0 to 2^32 - 1 that grows at its end. Large arrays would stay on the heap for long. */
export class NumberList {
  /** The number of numbers. */
  length: number;
  #numbers: Uint32Array;

  /** @param first the first numbers, whose array becomes the list's */
  constructor(first: Uint32Array = new Uint32Array(0)) {
    this.length = first.length;
    this.#numbers = first;
  }

  /** Adds a number. */
  push(number: number): void {
    if (this.length === this.#numbers.length)
      this.#numbers = grown(this.#numbers, new Uint32Array(Math.max(SHORT, 2 * this.length)));
    this.#numbers[this.length++] = number;
  }

  /** The numbers, as a view. */
  get view(): Uint32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
