/** A queue of asynchronous tasks that must not overlap. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs a task after all earlier tasks have settled, and returns its result. A failed task does not stop later tasks.
   */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks in the queue at the time of the call have settled. Never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
