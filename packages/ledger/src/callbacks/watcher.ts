/** Watchers: loops that call a listener of the program, one call at a time. */
import { MerostoreError } from "merostore/internal";
import { isWithin } from "./listeners.js";

/** Watches until it is closed, or what it watches is. */
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
  /** The error that the listener has thrown, which may be anything; undefined if it has not. */
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
    if (isWithin(loop))
      throw new MerostoreError("ILLEGAL_STATE", "a listener cannot wait for its own watcher");
    await loop.idle();
    if (loop.failure !== undefined) throw loop.failure.error;
  };
  return { idle, close, [Symbol.dispose]: close };
}
