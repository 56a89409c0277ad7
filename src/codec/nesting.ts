/** A bound of values inside values of the same kind. */

/** The deepest nesting. */
export const DEEPEST_NESTING = 256;

/** Counts the values that one is in. */
export class Nesting {
  #depth = 0;

  /** True while no value is entered. */
  get isOutside(): boolean {
    return this.#depth === 0;
  }

  /** Runs a step into a value. */
  enter<R>(work: () => R, tooDeep: () => unknown): R {
    if (this.#depth >= DEEPEST_NESTING) throw tooDeep();
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}
