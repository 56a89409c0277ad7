/** Timers with the abilities of Node's timers, also in browsers. */

/** A timer that calls once. It keeps a process of Node running only if asked to. */
export class Timer {
  readonly #call: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(call: () => void) {
    this.#call = call;
  }

  /** True from its start until it has called or was stopped. */
  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** Starts the timer, or starts it again. */
  start(milliseconds: number, keepsRunning = false): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#call();
    }, milliseconds);
    if (!keepsRunning) this.#timer.unref?.();
  }

  /** Makes a running timer keep the process running. */
  keepRunning(): void {
    this.#timer?.ref?.();
  }

  /** Stops the timer: it calls no more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** Milliseconds that the closing of a page waits for downloads from a cloud. */
export const CLOSING = 5000;

/** Waits for work, but not longer than so many milliseconds. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: Timer | undefined;
  const over = new Promise<void>((resolve) => {
    timer = new Timer(resolve);
    timer.start(milliseconds, true);
  });
  await Promise.race([work, over]).finally(() => timer?.stop());
}

/** Sleeps between the steps of background work. */
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
