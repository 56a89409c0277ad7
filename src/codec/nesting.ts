/** A bound on the nesting of values of one kind. */

/** The deepest nesting. */
export const DEEPEST_NESTING = 256;

/** Counts the values around the current one. */
export class Nesting {
  #depth = 0;

  /** True while no value is entered. */
  get isOutside(): boolean {
    return this.#depth === 0;
  }

  /** Runs `work` one level deeper, or throws at the deepest level. */
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
