/** Waiting between the steps of background work. */
export class Pauses {
  readonly #going = new Map<NodeJS.Timeout, () => void>();
  #waiting = 0;
  #ended = false;

  /** Settles after so many milliseconds, or when the pauses are cut short. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#going.delete(timer);
        resolve();
      }, milliseconds);
      if (this.#waiting === 0) timer.unref();
      this.#going.set(timer, resolve);
    });
  }

  /** Waits for the background work. Only while somebody waits do its pauses keep the process running. */
  async waitFor(work: Promise<void>): Promise<void> {
    this.#waiting++;
    for (const timer of this.#going.keys()) timer.ref();
    try {
      await work;
    } finally {
      this.#waiting--;
    }
  }

  /** Ends the current pauses, and makes all later ones end at once. */
  end(): void {
    this.#ended = true;
    this.cutShort();
  }

  /** Ends the current pauses. */
  cutShort(): void {
    for (const [timer, resolve] of this.#going) {
      clearTimeout(timer);
      resolve();
    }
    this.#going.clear();
  }
}
