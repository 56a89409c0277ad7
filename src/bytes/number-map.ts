/** Values by numbers that a file chooses. */

/**
 * A map from numbers, in the order of their addition. The hash of a number in JavaScript's own maps is known in
 * advance: a file could name many numbers with the same hash, and each would be compared with all others. The hash of a
 * text differs in each process.
 */
export class NumberMap<T> {
  readonly #items = new Map<string, readonly [number: number, value: T]>();

  constructor(items: Iterable<readonly [number, T]> = []) {
    for (const [number, value] of items) this.set(number, value);
  }

  get size(): number {
    return this.#items.size;
  }

  get(number: number): T | undefined {
    return this.#items.get(textOf(number))?.[1];
  }

  has(number: number): boolean {
    return this.#items.has(textOf(number));
  }

  set(number: number, value: T): void {
    this.#items.set(textOf(number), [number, value]);
  }

  delete(number: number): void {
    this.#items.delete(textOf(number));
  }

  [Symbol.iterator](): IterableIterator<readonly [number: number, value: T]> {
    return this.#items.values();
  }
}

/** Digits alone would have the hash of their number. */
function textOf(number: number): string {
  return `#${number}`;
}
