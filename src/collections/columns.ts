/** Columns of numbers that grow: an object for each row would take five times the memory. */

/** Rows of an empty column. */
const FEW = 64;

/** Numbers from 0 to 2^32 - 1 by rows; 0 where none was set. */
export class NumberColumn {
  #numbers = new Uint32Array(FEW);

  /** The number in a row. */
  get(row: number): number {
    return this.#numbers[row] ?? 0;
  }

  /** Sets the number in a row. */
  set(row: number, number: number): void {
    if (row >= this.#numbers.length) {
      const numbers = new Uint32Array(Math.max(2 * this.#numbers.length, row + 1));
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
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
    if (row >= this.#numbers.length) {
      const numbers = new BigUint64Array(Math.max(2 * this.#numbers.length, row + 1));
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[row] = number;
  }
}
