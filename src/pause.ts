/** Pauses in long work that never waits: they give timers, signals and other requests a turn. */

import type { Steps } from "./steps.js";

/** Milliseconds after which a pause is due. The work between two looks at the clock comes on top. */
const LONGEST = 3;

/** The beginning of the current turn of the event loop, shared by all work in progress. */
let since = performance.now();

/** The callers that wait for a turn, in order. */
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

  /** Does work in steps, and pauses between them if a pause is due. */
  async between<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (this.isLong) await this.ifLong();
    }
  }
}

/** Waits for a turn of the event loop. Each caller gets its own turn, so that callers do not hold the loop together. */
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
