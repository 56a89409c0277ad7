import { compareBytes, FIRST_KEY, keyAfter } from "../bytes/order.js";
import { SerialQueue } from "../collections/serial-queue.js";
import type { ByteRange, Engine, EngineReader, WriteOperation, WriteOptions } from "../engine/engine.js";
import type { PendingChange } from "./column-changes.js";

/**
 * Passes the writes of a store to its engine in the order of the calls. If the end of a deleted range must be read
 * first, the read follows all earlier writes, and later writes wait for it.
 */
export class OrderedWrites {
  readonly #engine: Engine;
  readonly #queue = new SerialQueue();
  /** The number of writes in the queue. While it is above 0, later writes go into the queue too. */
  #waiting = 0;
  /** The unfinished writes of the engine. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Writes changes as one batch. A range without an end ends after the last key at the time when the batch has its
   * turn.
   */
  async write(changes: readonly PendingChange[], options: WriteOptions): Promise<void> {
    if (this.#waiting === 0 && changes.every(isOperation)) return this.#hand(changes, options);
    this.#waiting++;
    const { done } = await this.#queue.run(async () => {
      try {
        if (!changes.every(isOperation)) await Promise.allSettled([...this.#underWay]);
        return { done: this.#hand(await this.#operations(changes), options) };
      } finally {
        this.#waiting--;
      }
    });
    return done;
  }

  /** A promise until all writes so far are passed to the engine; undefined if they are. */
  get handing(): Promise<void> | undefined {
    return this.#waiting === 0 ? undefined : this.#queue.idle();
  }

  #hand(operations: readonly WriteOperation[], options: WriteOptions): Promise<void> {
    const done = this.#engine.write(operations, options);
    this.#underWay.add(done);
    const forget = (): void => void this.#underWay.delete(done);
    done.then(forget, forget);
    return done;
  }

  async #operations(changes: readonly PendingChange[]): Promise<readonly WriteOperation[]> {
    const operations: WriteOperation[] = [];
    for (const change of changes) {
      const operation = isOperation(change)
        ? change
        : await deletionOf(this.#engine, change.column, change, operations);
      if (operation !== undefined) operations.push(operation);
    }
    return operations;
  }
}

function isOperation(change: PendingChange): change is WriteOperation {
  return change.type !== "deleteRange" || (change.gte !== undefined && change.lt !== undefined);
}

/**
 * Returns the operation that deletes a range; undefined if there is nothing to delete. RocksDB requires an end, so an
 * open range ends after the last stored key, or the last key that `earlier` operations put.
 */
async function deletionOf(
  reader: EngineReader,
  column: string,
  { gte: from = FIRST_KEY, lt: to }: ByteRange,
  earlier: readonly WriteOperation[] = [],
): Promise<WriteOperation | undefined> {
  const end = to ?? (await endOfKeys(reader, column, earlier));
  return end && { type: "deleteRange", column, gte: from, lt: end };
}

async function endOfKeys(
  reader: EngineReader,
  column: string,
  earlier: readonly WriteOperation[],
): Promise<Uint8Array | undefined> {
  let [last] = await reader.scan(column, {}, { reverse: true, limit: 1 }).keys().toArray();
  for (const operation of earlier) {
    if (operation.type !== "put" || operation.column !== column) continue;
    if (last === undefined || compareBytes(operation.key, last) > 0) last = operation.key;
  }
  return last && keyAfter(last);
}
