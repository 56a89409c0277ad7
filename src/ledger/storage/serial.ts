/** Work that must not overlap. */

/** Runs one thing after another, in the order in which they were asked for. A failure does not stop what follows. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Settles when everything asked for so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
