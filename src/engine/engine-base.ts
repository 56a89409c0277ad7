/** The base class of engines. It implements the common part of the contract, so an engine only needs a few hooks. */

import { MerostoreError, type Warning } from "../errors.js";
import { checkRange, checkWrite, copyOperation, isEmptyRange, takeOperation } from "./arguments.js";
import type {
  Bounds,
  ByteRange,
  Capabilities,
  ChangeBatch,
  Engine,
  EngineSnapshot,
  RawRow,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "./engine.js";
import { Lifecycle } from "./lifecycle.js";
import { ReaderBase } from "./reader-base.js";
import { HeldSnapshot, type SnapshotHooks } from "./snapshot.js";

/**
 * An engine on hooks. The base checks arguments, tracks open scans, snapshots and unfinished calls, refuses calls after
 * `close` and writes to read-only engines, and makes snapshots. A hook gets only checked arguments, and may throw any
 * error: `failure` gives it a code.
 *
 * `ReadView` is the state that a read sees, for example an immutable value, a snapshot of the underlying database, or a
 * count of users.
 */
export abstract class EngineBase<ReadView> extends ReaderBase<ReadView> implements Engine {
  /** The abilities of this handle. */
  abstract readonly capabilities: Capabilities;
  abstract readonly warnings: readonly Warning[];
  readonly #snapshotHooks: SnapshotHooks<ReadView> = {
    lookUp: (column, keys, view) => this.lookUp(column, keys, view),
    openScan: (column, plan, view) => this.openScan(column, plan, view),
    failure: (error, doing) => this.failure(error, doing),
    release: (view) => this.release?.(view),
  };

  constructor() {
    super(new Lifecycle("database"));
  }

  /**
   * Returns the present state for a snapshot, if the result of `readView` does not last. Closing the snapshot calls
   * `release` with it. Without this hook a snapshot uses the result of `readView`.
   */
  protected pin?(): ReadView | Promise<ReadView>;

  /**
   * Applies all operations in their order, or none. There is at least one, and no deleteRange is empty. Several calls
   * may run at the same time. Without this hook the engine is read-only.
   *
   * @param sync wait until the operations would survive a power failure, if the engine supports it
   */
  protected apply?(operations: readonly WriteOperation[], sync: boolean): void | Promise<void>;

  /** Makes all previous writes durable. Without this hook `flush` does nothing. */
  protected persist?(): void | Promise<void>;

  /** Returns the estimated bytes on disk of a non-empty range. Without this hook the result is 0. */
  protected size?(column: string, range: Required<ByteRange>): number | Promise<number>;

  /** Closes the underlying database. It is called after all reads, scans, writes and snapshots have ended. */
  protected shut?(): void | Promise<void>;

  unflushed?(column: string): Promise<Unflushed>;

  refresh?(): Promise<void>;

  load?(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number>;

  addColumns?(columns: readonly string[]): Promise<void>;

  changes?(since: number): AsyncIterableIterator<ChangeBatch>;

  /**
   * The reason why the engine is read-only, and the remedy: the second half of a READ_ONLY error, after `cannot write:
   * `.
   */
  protected get readOnlyReason(): string {
    return `the engine ${this.capabilities.engine} only reads here`;
  }

  async write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    this.checkOpen();
    this.#checkWritable("write");
    checkWrite(operations, options);
    const owned = options?.owned === true;
    const batch: WriteOperation[] = [];
    for (const given of operations) {
      const operation = owned ? takeOperation(given) : copyOperation(given);
      this.checkColumn(operation.column);
      if (!deletesNothing(operation)) batch.push(operation);
    }
    if (batch.length === 0) return;
    await this.perform("writing", () => this.apply?.(batch, options?.sync === true));
  }

  async flush(): Promise<void> {
    this.checkOpen();
    this.#checkWritable("flush");
    await this.perform("flushing", () => this.persist?.());
  }

  async approximateSize(column: string, range?: Bounds): Promise<number> {
    this.checkOpen();
    this.checkColumn(column);
    const checked = checkRange(range);
    if (isEmptyRange(checked)) return 0;
    return this.perform(`measuring ${column}`, () => this.size?.(column, checked) ?? 0);
  }

  /** Returns a view of the present state, which later writes do not change. */
  async snapshot(): Promise<EngineSnapshot> {
    return this.perform("taking a snapshot", async () => {
      const { columns, revision, lost } = this;
      const view = this.pin === undefined ? this.readView() : await this.pin();
      try {
        this.checkOpen(); // `close` may have been called meanwhile
        return new HeldSnapshot({ columns, revision, lost }, view, this.#snapshotHooks, this.life);
      } catch (error) {
        await this.release?.(view);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.life.close(async () => this.shut?.());
  }

  /** Closes the engine. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Runs work that `close` waits for. An error goes through `failure`.
   *
   * @param doing the name of the work in messages: `flushing Meta`
   * @throws MerostoreError CLOSED after `close` was called
   */
  protected async perform<T>(doing: string, work: () => T | Promise<T>): Promise<T> {
    try {
      return await this.life.run(async () => work());
    } catch (error) {
      throw this.failure(error, doing);
    }
  }

  #checkWritable(what: string): void {
    if (this.capabilities.writable && this.apply !== undefined) return;
    throw new MerostoreError("READ_ONLY", `cannot ${what}: ${this.readOnlyReason}`);
  }
}

function deletesNothing(operation: WriteOperation): boolean {
  return operation.type === "deleteRange" && isEmptyRange(operation);
}
