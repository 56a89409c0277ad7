/**
 * The scans, snapshots and calls of an engine or a snapshot, so that closing can end the former and wait for the
 * latter.
 */

import { MerostoreError } from "../errors.js";

/** Something that an owner ends when it closes: a scan, a snapshot. */
export interface Closable {
  /** Ends it. A second call does nothing. */
  close(): Promise<void>;
}

/** The life of an engine or a snapshot: open, then closed for good. */
export class Lifecycle {
  readonly #what: string;
  readonly #owner: Lifecycle | undefined;
  readonly #work = new Set<Promise<unknown>>();
  readonly #owned = new Set<Closable>();
  #closing: Promise<void> | undefined;

  /**
   * @param what what it is, as errors say it: `database`, `snapshot`
   * @param owner the life of which it is a part
   */
  constructor(what: string, owner?: Lifecycle) {
    this.#what = what;
    this.#owner = owner;
  }

  /** True if closing has begun, here or of the owner. */
  get isClosed(): boolean {
    return this.#closing !== undefined || this.#owner?.isClosed === true;
  }

  /** Throws CLOSED from the moment when closing begins. */
  check(): void {
    if (!this.isClosed) return;
    throw new MerostoreError("CLOSED", `the ${this.#what} is closed`);
  }

  /** Runs work that closing must wait for. Rejects with CLOSED when it is too late to begin. */
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

  /** Takes over something that closing must end. */
  own(resource: Closable): void {
    this.#owned.add(resource);
  }

  /** Forgets something that has ended by itself. */
  disown(resource: Closable): void {
    this.#owned.delete(resource);
  }

  /** Ends what is owned, waits for work under way, then calls `finish`. Every call gives the same promise. */
  close(finish: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#close(finish);
    return this.#closing;
  }

  async #close(finish: () => Promise<void>): Promise<void> {
    await Promise.resolve(); // `#closing` is set before anything below can look at it
    await Promise.allSettled([...this.#work, ...Array.from(this.#owned, (resource) => resource.close())]);
    await finish();
  }
}
