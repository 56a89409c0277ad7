/**
 * The batches of a scan for one rule. Each rule loops over its own feed, and the scan continues when all rules have
 * asked for the next batch. So no batch waits for a slow rule, and all findings in a batch are known before the scan
 * continues.
 */
export class Feed<T> implements AsyncIterableIterator<T, undefined> {
  /** Resolves the reader's request for a batch; set while the reader waits. */
  #deliver: ((result: IteratorResult<T, undefined>) => void) | undefined;
  #fail: ((reason: unknown) => void) | undefined;
  /** Wakes the caller of `give` or `end` that waits for the reader. */
  #wake: (() => void) | undefined;
  #closed = false;
  #aborted: { readonly reason: unknown } | undefined;

  /** True if the reader wants no more batches. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Gives the reader a batch. Settles when the reader asks for the next batch or closes the feed. */
  async give(batch: T): Promise<void> {
    await this.#idle();
    this.#take({ done: false, value: batch });
    await this.#idle();
  }

  /** Ends the batches. */
  async end(): Promise<void> {
    await this.#idle();
    this.#take({ done: true, value: undefined });
  }

  /** Makes the reader's next request fail. After a normal end, the reader would assume that it has seen all rows. */
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

  /** Closes the feed: later batches are dropped. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Waits until the reader asks for a batch or closes the feed. */
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
