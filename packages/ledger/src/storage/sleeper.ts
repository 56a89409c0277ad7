/** Sleeps between the steps of background work. */
import { Timer } from "../timer.js";

export class Sleeper {
  readonly #timers = new Map<Timer, () => void>();
  /** The number of callers that wait for the work. */
  #waiting = 0;
  #ended = false;

  /** Settles after some milliseconds, or when the pauses are cut short. */
  async wait(milliseconds: number): Promise<void> {
    if (this.#ended) return;
    await new Promise<void>((resolve) => {
      const timer = new Timer(() => {
        this.#timers.delete(timer);
        resolve();
      });
      timer.start(milliseconds, this.#waiting > 0);
      this.#timers.set(timer, resolve);
    });
  }

  /** Waits for the background work. Its pauses keep the process running only while somebody waits. */
  async waitFor(work: Promise<void>): Promise<void> {
    this.#waiting++;
    for (const timer of this.#timers.keys()) timer.keepRunning();
    try {
      await work;
    } finally {
      this.#waiting--;
    }
  }

  /** Ends the current pauses. All later pauses end at once. */
  end(): void {
    this.#ended = true;
    this.cutShort();
  }

  /** Ends the current pauses. */
  cutShort(): void {
    for (const [timer, resolve] of this.#timers) {
      timer.stop();
      resolve();
    }
    this.#timers.clear();
  }
}
