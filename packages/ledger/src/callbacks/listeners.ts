/** Calls listeners of programs and clouds so that their errors do not reach the code that notifies them. */
import { inspect } from "node:util";
import { describeValue, MerostoreError } from "merostore/internal";
import { outside } from "./calls.js";

/**
 * Wraps a listener so that it never throws. The first error, or rejection of a promise that it returns, is reported as a
 * process warning with the code MEROSTORE_LISTENER.
 *
 * @param what the event, for the warning
 * @throws MerostoreError INVALID_ARGUMENT if the listener is not a function
 */
export function guarded<A extends readonly unknown[]>(
  what: string,
  listener: (...args: A) => unknown,
): (...args: A) => void {
  checkCallback(`a listener of ${what}`, listener);
  let hasWarned = false;
  const warn = (error: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    const options = { type: "MerostoreWarning", code: "MEROSTORE_LISTENER", detail: inspect(error) };
    process.emitWarning(`a listener of ${what} has failed`, options);
  };
  return (...args) => {
    try {
      const result = outside(() => listener(...args));
      if (isThenable(result)) result.then(undefined, warn);
    } catch (error) {
      warn(error);
    }
  };
}

/** @throws MerostoreError INVALID_ARGUMENT if `callback` is not a function */
export function checkCallback(what: string, callback: unknown): void {
  if (typeof callback === "function") return;
  throw new MerostoreError("INVALID_ARGUMENT", `${what} must be a function, not ${describeValue(callback)}`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
