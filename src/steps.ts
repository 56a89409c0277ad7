/** Work in steps. Between two steps, `Pause` gives other work a turn, if the caller can wait. */

/** Work that stops after each step. A step takes much less than a millisecond. */
export type Steps<T> = Generator<void, T, undefined>;

/** Does all steps without a stop. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
