/** Repeats requests if a server fails for a moment, and ends them if nothing arrives. */
import { MerostoreError } from "../../errors.js";

/**
 * The least bytes per second of a server; slower requests end. Otherwise a server that sends single bytes could keep a
 * request forever.
 */
const LEAST_RATE = 4096;

/** A failure that may be temporary. */
export class Passing extends Error {}

/** The limits of the requests of a client. */
export interface Limits {
  /** The milliseconds before each repetition of a request. */
  readonly waits: readonly number[];
  /** The most milliseconds without any byte from the server. */
  readonly timeout: number;
}

/**
 * Sends a request, and repeats it if it fails.
 *
 * @param send sends the request once; calls `progress` with arrived bytes
 * @param failed returns the error of the last failure
 * @param closing ends the request; its reason becomes the error
 * @throws the result of `failed`, and every MerostoreError of `send` at once
 */
export async function repeated<T>(
  { waits, timeout }: Limits,
  send: (progress: (bytes: number) => void, signal: AbortSignal) => Promise<T>,
  failed: (error: unknown) => MerostoreError,
  closing?: AbortSignal,
): Promise<T> {
  for (let round = 0; ; round++) {
    try {
      closing?.throwIfAborted();
      return await limited(send, timeout, closing);
    } catch (error) {
      if (error instanceof MerostoreError) throw error;
      const wait = waits[round];
      if (wait === undefined) throw failed(error);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/**
 * Ends a request if nothing arrives for too long, or too little. The remaining time begins with the timeout and never
 * exceeds it. Each byte adds its time at the least rate.
 */
async function limited<T>(
  send: (progress: (bytes: number) => void, signal: AbortSignal) => Promise<T>,
  timeout: number,
  closing: AbortSignal | undefined,
): Promise<T> {
  const controller = new AbortController();
  const close = (): void => controller.abort(closing?.reason);
  closing?.addEventListener("abort", close);
  let last = performance.now();
  let left = timeout;
  const end = (): void =>
    controller.abort(
      new Passing(
        left < timeout
          ? `the server sends fewer than ${LEAST_RATE} bytes a second`
          : `the server sent neither whole headers nor data for ${timeout / 1000} seconds`,
      ),
    );
  let timer = setTimeout(end, left);
  const progress = (bytes: number): void => {
    clearTimeout(timer);
    const now = performance.now();
    left = Math.min(timeout, left - (now - last) + (bytes / LEAST_RATE) * 1000);
    last = now;
    timer = setTimeout(end, left);
  };
  try {
    return await send(progress, controller.signal);
  } finally {
    clearTimeout(timer);
    closing?.removeEventListener("abort", close);
  }
}
