/**
 * Tracks the scans, snapshots and calls of an engine or a snapshot. Closing ends scans and snapshots, and waits for
 * calls.
 */

import { MerostoreError } from "../errors.js";

/** A scan or a snapshot, which its owner ends when it closes. */
export interface Closable {
  /** Ends it. A second call does nothing. */
  close(): Promise<void>;
}

/** The state of an engine or a snapshot: open, then closed for good. */
export class Lifecycle {
  readonly #what: string;
  readonly #owner: Lifecycle | undefined;
  readonly #work = new Set<Promise<unknown>>();
  readonly #owned = new Set<Closable>();
  #closing: Promise<void> | undefined;

  /**
   * @param what its name in errors: `database`, `snapshot`
   * @param owner the state of the engine that owns it
   */
  constructor(what: string, owner?: Lifecycle) {
    this.#what = what;
    this.#owner = owner;
  }

  /** True if closing has begun, here or for the owner. */
  get isClosed(): boolean {
    return this.#closing !== undefined || this.#owner?.isClosed === true;
  }

  /** Throws CLOSED after closing has begun. */
  check(): void {
    if (!this.isClosed) return;
    throw new MerostoreError("CLOSED", `the ${this.#what} is closed`);
  }

  /** Runs work that closing waits for. Rejects with CLOSED if closing has begun. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    const running = work();
    this.#work.add(running);
    try {
      return await running;
    } finally {
      this.#work.delete(running);
    }
  }

  /** Adds a scan or snapshot that closing ends. */
  own(resource: Closable): void {
    this.#owned.add(resource);
  }

  /** Removes a scan or snapshot that has ended by itself. */
  disown(resource: Closable): void {
    this.#owned.delete(resource);
  }

  /**
   * Ends owned scans and snapshots, waits for unfinished work, then calls `finish`. Every call returns the same
   * promise.
   */
  close(finish: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(finish);
    return this.#closing;
  }

  async #close(finish: () => Promise<void>): Promise<void> {
    await Promise.resolve(); // so that `#closing` is set before the code below reads it
    await Promise.allSettled([...this.#work, ...Array.from(this.#owned, (resource) => resource.close())]);
    await finish();
  }
}
