/**
 * Calls listeners of programs and clouds so that their errors do not reach the code that notifies them: they become
 * warnings. Tells whether code runs inside such a call.
 */
import { describeValue, illegalState, invalidArgument } from "merostore/internal";
import { CallContext } from "./platform/node.js";

/**
 * Wraps a listener so that it never throws. The first error, or rejection of a promise that it returns, is reported as
 * a process warning with the code MEROSTORE_LISTENER.
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
  const report = (error: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    warn(`a listener of ${what} has failed`, "MEROSTORE_LISTENER", error);
  };
  return (...args) => {
    try {
      const result = outside(() => listener(...args));
      if (isThenable(result)) result.then(undefined, report);
    } catch (error) {
      report(error);
    }
  };
}

/** @throws MerostoreError INVALID_ARGUMENT if `callback` is not a function */
export function checkCallback(what: string, callback: unknown): void {
  if (typeof callback === "function") return;
  throw invalidArgument(`${what} must be a function, not ${describeValue(callback)}`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/**
 * A running call of a callback of the program. A callback must not await something that waits for the same callback: it
 * would hang. A context identifies the calls. In Node it follows promises, timers and event emitters, but not work that
 * the callback puts into a queue which other code processes. A call loses its owner when it ends.
 */
interface Call {
  owner: object | undefined;
}

const calls = new CallContext<readonly Call[]>();

/** Runs a callback as a call for `owner`, nested in the calls that are running. */
export function within<T>(owner: object, callback: () => T | Promise<T>): Promise<T> {
  const call: Call = { owner };
  return calls.run([...running(), call], async () => {
    try {
      return await callback();
    } finally {
      // A timer that the callback leaves behind is no longer part of the call.
      call.owner = undefined;
    }
  });
}

/** Returns whether the current code was called, directly or indirectly, by a running call for `owner`. */
export function isWithin(owner: object): boolean {
  return calls.getStore()?.some((call) => call.owner === owner) ?? false;
}

/** Runs code that is not part of the running calls, because they do not await it. */
export function outside<T>(work: () => T): T {
  return calls.run([], work);
}

function running(): readonly Call[] {
  return calls.getStore()?.filter(({ owner }) => owner !== undefined) ?? [];
}

/** Runs until it is closed, or until the page or repository that it watches is closed. */
export interface Watcher extends Disposable {
  /**
   * Settles when the listener has processed all changes so far. Rejects with the error of the listener, and with
   * ILLEGAL_STATE if the listener itself calls it.
   */
  idle(): Promise<void>;
  /** Stops watching. No call begins after this. */
  close(): void;
}

/** Calls a listener, each call `within` the loop. The first error of the listener ends it. */
export interface ListenerLoop {
  /** The error of the listener, which may be any value; undefined before an error. */
  readonly failure: { readonly error: unknown } | undefined;
  /** Settles when the listener has processed all changes. */
  idle(): Promise<void>;
  /** No call begins after this; the current one may still run. */
  close(): void;
}

/** Makes the watcher of a loop. */
export function watcherOf(loop: ListenerLoop, onClose: () => void): Watcher {
  const close = (): void => {
    loop.close();
    onClose();
  };
  const idle = async (): Promise<void> => {
    if (isWithin(loop)) throw illegalState("a listener cannot wait for its own watcher");
    await loop.idle();
    if (loop.failure !== undefined) throw loop.failure.error;
  };
  return { idle, close, [Symbol.dispose]: close };
}

interface Process {
  emitWarning?(message: string, options: { type: string; code: string; detail?: string }): void;
}

/** Warns the operator of the program: emits a process warning in Node, and writes to the console elsewhere. */
export function warn(message: string, code: string, error?: unknown): void {
  const { process } = globalThis as { process?: Process };
  if (process?.emitWarning === undefined) {
    console.warn(`${code}: ${message}`, ...(error === undefined ? [] : [error]));
    return;
  }
  const detail = error === undefined ? {} : { detail: detailOf(error) };
  process.emitWarning(message, { type: "MerostoreWarning", code, ...detail });
}

/** The stack of an error and of its causes. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return describeValue(error);
  const { stack, message, cause } = error;
  return `${stack ?? message}${cause === undefined ? "" : `\ncaused by: ${detailOf(cause)}`}`;
}
