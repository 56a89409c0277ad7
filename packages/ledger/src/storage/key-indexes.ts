/** The numbers of the encryption keys that the pieces of a page have: mostly one, and one more for each change of the key. */

/** More numbers are not kept. Damaged or hostile rows may have any number. */
const MOST = 256;

export class KeyIndexes {
  readonly #numbers = new Set<number>();
  #isFull = false;
  #isComplete = false;

  add(number: number): void {
    if (this.#numbers.size < MOST) this.#numbers.add(number);
    else if (!this.#numbers.has(number)) this.#isFull = true;
  }

  has(number: number): boolean {
    return this.#numbers.has(number);
  }

  /** Notes that all numbers were added: all statuses were read since the opening. */
  complete(): void {
    this.#isComplete = true;
  }

  /** All numbers; undefined while there may be others. */
  get all(): readonly number[] | undefined {
    return this.#isComplete && !this.#isFull ? [...this.#numbers] : undefined;
  }
}
