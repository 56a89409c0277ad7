/** The writes of one page: one batch after another. */

import type { Engine, WriteOperation, WriteOptions } from "merostore/engine";
import { SerialQueue } from "merostore/internal";

/** Writes a batch; an empty one does nothing. */
export type Write = (operations: readonly WriteOperation[], options?: WriteOptions) => Promise<void>;

export class WriteQueue {
  readonly #queue = new SerialQueue();
  readonly #write: Write;

  constructor(engine: Engine) {
    this.#write = async (operations, options) => {
      if (operations.length > 0) await engine.write(operations, { ...options, owned: true });
    };
  }

  /** Runs work that reads and writes while nobody else writes. */
  exclusively<T>(work: (write: Write) => Promise<T>): Promise<T> {
    return this.#queue.run(() => work(this.#write));
  }

  /** Settles when all work that is in the queue now has settled. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
