/** Milliseconds that the event loop may be held. */
const LONGEST = 10;

/** Lets timers and signals have their turn during long work that never waits. */
export class Pause {
  #since = performance.now();

  /** Waits for a turn of the event loop if the last one was long ago. */
  async ifLong(): Promise<void> {
    if (performance.now() - this.#since < LONGEST) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    this.#since = performance.now();
  }
}
