/** Pauses of long work that never waits, in which timers, signals and other requests have their turn. */

import type { Steps } from "./steps.js";

/** Milliseconds after which a pause is due: what is done between two looks at the clock comes on top. */
const LONGEST = 3;

/** The beginning of the turn of the event loop, by which all work that goes on at once measures. */
let since = performance.now();

/** Those who wait for a turn, the first of them first. */
const waiting: (() => void)[] = [];

/** Lets the event loop have its turn now and then. */
export class Pause {
  readonly #signal: AbortSignal | undefined;

  /** @param signal makes a pause throw its reason, once it has aborted */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * True if a pause is due. A loop over many short items looks here first, because awaiting costs more than an item.
   */
  get isLong(): boolean {
    const passed = performance.now() - since;
    return passed >= LONGEST || passed < 0; // after a clock that was ahead
  }

  /** Waits for a turn of the event loop if the last one was long ago. */
  async ifLong(): Promise<void> {
    if (!this.isLong) return;
    await turn();
    this.#signal?.throwIfAborted();
  }

  /** Does work in steps, and waits between them where a pause is due. */
  async between<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (this.isLong) await this.ifLong();
    }
  }
}

/** One turn of the event loop for each who waits, so that they do not hold it one after another. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) soon(next);
  });
}

function next(): void {
  since = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) soon(next);
}

/** Calls after a turn of the event loop. A timer would add a millisecond in Node, and four in a browser. */
export function soon(call: () => void): void {
  if (typeof setImmediate === "function") {
    setImmediate(call);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  const ended = (): void => {
    port1.close();
    call();
  };
  port1.addEventListener("message", ended);
  port1.start();
  port2.postMessage(undefined);
}
