/** Work in steps, between which others may have their turn: `Pause` waits there, where the caller can wait. */

/** Work that stops after each step. Each takes much less than a millisecond. */
export type Steps<T> = Generator<void, T, undefined>;

/** Does all steps without a stop. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
