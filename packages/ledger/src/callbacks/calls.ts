/**
 * Tells whether code runs inside a callback of the program. A callback must not await something that waits for the same
 * callback: it would hang.
 *
 * AsyncLocalStorage identifies the calls. It follows promises, timers and event emitters, but not work that the callback
 * puts into a queue which other code processes.
 */
import { AsyncLocalStorage } from "node:async_hooks";

/** A running call. It loses its owner when it ends. */
interface Call {
  owner: object | undefined;
}

const calls = new AsyncLocalStorage<readonly Call[]>();

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
