/**
 * One scan feeds many rules: each of them loops over a feed of its own, and the scan goes on when all have asked for the
 * next batch. So no batch is kept for a rule that lags behind, and what a rule found is known before the scan goes on.
 */
export class Feed<T> implements AsyncIterableIterator<T, undefined> {
  /** Waiting for a batch; set while the reader waits. */
  #deliver: ((result: IteratorResult<T, undefined>) => void) | undefined;
  #fail: ((reason: unknown) => void) | undefined;
  /** Wakes the consumer that waits for the reader. */
  #wake: (() => void) | undefined;
  #closed = false;
  #aborted: { readonly reason: unknown } | undefined;

  /** True if the reader wants no more batches. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Hands over a batch; settles once the reader has dealt with it, or wants no more. */
  async give(batch: T): Promise<void> {
    await this.#idle();
    this.#take({ done: false, value: batch });
    await this.#idle();
  }

  /** Says that there are no more batches. */
  async end(): Promise<void> {
    await this.#idle();
    this.#take({ done: true, value: undefined });
  }

  /** Makes the reader fail when it asks for the next batch: it would take the end for that of the rows. */
  abort(reason: unknown): void {
    this.#aborted = { reason };
    this.#fail?.(reason);
    this.close();
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#aborted !== undefined) return Promise.reject(this.#aborted.reason);
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      this.#deliver = resolve;
      this.#fail = reject;
      this.#wake?.();
    });
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Wants no more batches: what is given from now on is dropped. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Until the reader waits for a batch, or wants none. */
  async #idle(): Promise<void> {
    if (this.#closed || this.#deliver !== undefined) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }

  #take(result: IteratorResult<T, undefined>): void {
    const deliver = this.#deliver;
    this.#deliver = undefined;
    this.#fail = undefined;
    deliver?.(result);
  }
}
