/** Pauses of long work that never waits, in which timers, signals and other requests have their turn. */

/** Milliseconds after which a pause is due: what is done between two looks at the clock comes on top. */
const LONGEST = 5;

/** Lets the event loop have its turn now and then. */
export class Pause {
  #since = performance.now();

  /** True if a pause is due. A loop over many short items looks here first, because awaiting costs more than an item. */
  get isLong(): boolean {
    return performance.now() - this.#since >= LONGEST;
  }

  /** Waits for a turn of the event loop if the last one was long ago. */
  async ifLong(): Promise<void> {
    if (!this.isLong) return;
    await turn();
    this.#since = performance.now();
  }
}

/** One turn of the event loop. A timer would add a millisecond in Node, and four in a browser. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    const ended = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", ended);
    port1.start();
    port2.postMessage(undefined);
  });
}
