/** Timers: what Node's have and those of browsers do not. */

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

  /** Makes a timer that runs keep the process running. */
  keepRunning(): void {
    this.#timer?.ref?.();
  }

  /** Stops the timer: it calls no more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
