/** The order of the operations of one connection. */
import { SerialQueue } from "merostore/internal";
import { inThisContext } from "../platform/node.js";

/** Runs steps one after another. While exclusive work runs, changes wait until it has ended. */
export class Turns {
  readonly #steps = new SerialQueue();
  #isTaken = false;
  /** Starts the changes and the exclusive work that wait, in the order of the calls. */
  readonly #waiting: (() => void)[] = [];

  /** Runs a step after all earlier steps, even while exclusive work runs. */
  step<T>(work: () => Promise<T>): Promise<T> {
    return this.#steps.run(work);
  }

  /** Runs a step after the exclusive work that runs or waits. */
  change<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isTaken) return this.step(work);
    return new Promise((resolve, reject) => {
      // The step keeps the async context of its own caller.
      this.#waiting.push(inThisContext(() => void this.step(work).then(resolve, reject)));
    });
  }

  /** Runs exclusive work, which may take any number of steps. Later changes wait until it ends. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(() => this.#take(resolve)));
    else this.#take();
    try {
      return await work();
    } finally {
      this.#isTaken = false;
      this.#goOn();
    }
  }

  /** Starts everything that waits, at once. Used when the connection closes. */
  free(): void {
    while (this.#waiting.length > 0) {
      this.#isTaken = false;
      this.#goOn();
    }
  }

  #take(then: () => void = () => undefined): void {
    this.#isTaken = true;
    then();
  }

  #goOn(): void {
    while (!this.#isTaken) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }
}
