/**
 * Iterates over the single rows of chunks. It is not a generator, whose `next` takes three times as long for each row.
 */
export class RowIterator<T> implements AsyncIterableIterator<T, undefined>, AsyncDisposable {
  readonly #chunks: AsyncIterator<readonly T[], unknown, undefined>;
  readonly #check: () => void;
  #rows: readonly T[] = [];
  #at = 0;
  #refilling: Promise<boolean> | undefined;
  #done = false;

  /** @param check throws if the remaining rows must not be returned */
  constructor(chunks: AsyncIterator<readonly T[], unknown, undefined>, check: () => void = () => undefined) {
    this.#chunks = chunks;
    this.#check = check;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#at === this.#rows.length) return this.#nextChunk();
    try {
      this.#check();
    } catch (error) {
      return Promise.reject(error);
    }
    return Promise.resolve({ done: false, value: this.#rows[this.#at++] as T });
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#done = true;
    this.#rows = [];
    this.#at = 0;
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #nextChunk(): Promise<IteratorResult<T, undefined>> {
    this.#refilling ??= this.#refill();
    return (await this.#refilling) ? this.next() : { done: true, value: undefined };
  }

  async #refill(): Promise<boolean> {
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true || this.#done) return false;
      this.#rows = value;
      this.#at = 0;
      return true;
    } finally {
      this.#refilling = undefined;
    }
  }
}
