/** Sorted rows side by side. */

/** A list that comes in chunks, seen from its current item. */
export class Cursor<T> {
  readonly #chunks: AsyncIterator<readonly T[]>;
  #chunk: readonly T[] = [];
  #at = 0;

  /** To be moved once before it has an item. */
  constructor(chunks: AsyncIterable<readonly T[]>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined before the first item and after the last one. */
  get item(): T | undefined {
    return this.#chunk[this.#at];
  }

  /** Goes to the next item. */
  async move(): Promise<void> {
    this.#at++;
    while (this.#at >= this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      this.#at = 0;
      this.#chunk = done === true ? [] : value;
      if (done === true) return;
    }
  }
}
