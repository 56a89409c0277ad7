/** The base class of engines: all that the contract demands of every engine alike, so that an engine is a few hooks. */

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
 * An engine on hooks. The base checks arguments, knows what is open and under way, refuses calls after `close` and
 * writes to what only reads, and makes snapshots. A hook gets checked arguments only, and may throw what it likes:
 * `failure` turns it into an error with a code.
 *
 * `ReadView` is the state that a read sees: an immutable value, a snapshot of the database beneath, a count of users.
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
   * Returns the state that a snapshot holds, where `readView` does not last: as it is at the call. `release` is called for
   * it when the snapshot is closed. Without this hook a snapshot holds what `readView` returns.
   */
  protected pin?(): ReadView | Promise<ReadView>;

  /**
   * Applies operations in their order: all, or none. There is at least one, and no deleteRange is empty. Several calls may
   * be under way at once. Without this hook the engine only reads.
   *
   * @param sync wait until the operations would survive a power failure, where the engine can
   */
  protected apply?(operations: readonly WriteOperation[], sync: boolean): void | Promise<void>;

  /** Makes durable what was written so far. Without this hook `flush` does nothing. */
  protected persist?(): void | Promise<void>;

  /** Returns the estimated bytes on disk of a range that is not empty. Without this hook they are 0. */
  protected size?(column: string, range: Required<ByteRange>): number | Promise<number>;

  /** Closes what is beneath. No read, scan, write or snapshot is left then. */
  protected shut?(): void | Promise<void>;

  unflushed?(column: string): Promise<Unflushed>;

  refresh?(): Promise<void>;

  load?(column: string, rows: AsyncIterable<readonly RawRow[]>): Promise<number>;

  addColumns?(columns: readonly string[]): Promise<void>;

  changes?(since: number): AsyncIterableIterator<ChangeBatch>;

  /**
   * The reason why nothing can be written, and the remedy: the second half of a READ_ONLY error, after `cannot write:
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

  /** Returns a view of the state at this moment, which later writes do not change. */
  async snapshot(): Promise<EngineSnapshot> {
    return this.perform("taking a snapshot", async () => {
      const { columns, revision, lost } = this;
      const view = this.pin === undefined ? this.readView() : await this.pin();
      try {
        this.checkOpen(); // closing may have begun meanwhile
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
   * Runs work that closing waits for; an error goes through `failure`.
   *
   * @param doing what it is, for messages: `flushing Meta`
   * @throws MerostoreError CLOSED when closing has begun
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
