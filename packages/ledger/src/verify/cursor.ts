/** A cursor, to read several sorted lists side by side. */

/** Points to the current item of a list that is read in chunks. */
export class Cursor<T> {
  readonly #chunks: AsyncIterator<readonly T[]>;
  #chunk: readonly T[] = [];
  #at = 0;

  /** Must be moved once before it has an item. */
  constructor(chunks: AsyncIterable<readonly T[]>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Undefined before the first item and after the last one. */
  get item(): T | undefined {
    return this.#chunk[this.#at];
  }

  /** Moves to the next item. */
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
