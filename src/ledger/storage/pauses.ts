/** Waiting between the steps of background work. */
export class Pauses {
  readonly #going = new Map<NodeJS.Timeout, () => void>();
  #waiting = 0;
  #ended = false;

  /** Settles after so many milliseconds, or when the pauses end. */
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

  /** Ends all pauses, those to come included. */
  end(): void {
    this.#ended = true;
    for (const [timer, resolve] of this.#going) {
      clearTimeout(timer);
      resolve();
    }
    this.#going.clear();
  }
}
