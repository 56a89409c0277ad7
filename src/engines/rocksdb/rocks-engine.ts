/** The engine over an open native database, and its snapshots. */

import { FIRST_KEY } from "../../bytes/order.js";
import { SerialQueue } from "../../collections/serial-queue.js";
import { LogSync } from "../../disk/log-sync.js";
import type { ChunkSource, ScanPlan } from "../../engine/chunk-source.js";
import type { ByteRange, Capabilities, Unflushed, WriteOperation } from "../../engine/engine.js";
import { EngineBase } from "../../engine/engine-base.js";
import { BEYOND_ALL } from "../../engine/native.js";
import type { Values } from "../../engine/reader-base.js";
import type { Warning } from "../../errors.js";
import type { NativeDatabase, NativeSession } from "./binding.js";
import { engineError } from "./classify.js";
import { readMany, readOne } from "./native-read.js";
import { NativeScan } from "./native-scan.js";
import { Sessions } from "./sessions.js";

/** An open database, ready to be used. */
export interface OpenDatabase {
  readonly native: NativeDatabase;
  /** The path as the caller gave it, for messages. */
  readonly path: string;
  /** The path with links resolved. */
  readonly folder: string;
  /** All column families, including `default`. */
  readonly columns: readonly string[];
  readonly writable: boolean;
  readonly reason?: string | undefined;
  readonly warnings: readonly Warning[];
  readonly lost?: readonly string[] | undefined;
  /** Called when the database is closed. */
  readonly release?: (() => void) | undefined;
}

export class RocksEngine extends EngineBase<Sessions> {
  readonly columns: readonly string[];
  readonly capabilities: Capabilities;
  readonly warnings: readonly Warning[];
  readonly #lost: readonly string[];
  readonly #path: string;
  readonly #release: (() => void) | undefined;
  /** Writes one batch at a time: the native package writes concurrent batches in any order. */
  readonly #writes = new SerialQueue();
  readonly #logs: LogSync;
  /** True if the logs have new writes. */
  #hasWritten = false;
  readonly #native: NativeDatabase;
  readonly #present: Sessions;
  /** A session for batches. Its family is set before each operation, so that one batch spans column families. */
  readonly #writer: NativeSession;

  constructor(opening: OpenDatabase) {
    const { native, path, folder, columns, writable, reason, warnings, lost = [], release } = opening;
    super();
    this.columns = columns;
    this.capabilities = {
      engine: "rocksdb",
      reason,
      writable,
      persistent: true,
      syncedWrites: writable,
    };
    this.warnings = warnings;
    this.#lost = lost;
    this.#path = path;
    this.#release = release;
    this.#logs = new LogSync(folder);
    this.#native = native;
    this.#present = new Sessions(native, writable);
    this.#writer = native.session({});
  }

  override get lost(): readonly string[] {
    return this.#lost;
  }

  override async unflushed(column: string): Promise<Unflushed> {
    this.checkOpen();
    this.checkColumn(column);
    const session = this.#present.of(column);
    const entries = await this.perform(`counting what is not flushed of ${column}`, async () => {
      const properties = ["rocksdb.num-entries-active-mem-table", "rocksdb.num-entries-imm-mem-tables"];
      let sum = 0;
      for (const name of properties) sum += Number(await session.getProperty(name));
      return sum;
    });
    if (entries === 0) return { entries, bytes: 0 };
    const bytes = await this.perform(`measuring ${column}`, () => this.#measure(column, {}, false));
    return { entries, bytes };
  }

  protected override readView(): Sessions {
    return this.#present;
  }

  protected override pin(): Sessions {
    return new Sessions(this.#native.session({ snapshot: true }), false);
  }

  protected override release(view: Sessions): Promise<void> | undefined {
    return view === this.#present ? undefined : view.close();
  }

  protected override async lookUp(
    column: string,
    keys: readonly Uint8Array[],
    sessions: Sessions,
  ): Promise<Values> {
    const session = sessions.of(column);
    const [first] = keys;
    return keys.length === 1 && first !== undefined
      ? [await readOne(session, first)]
      : readMany(session, keys);
  }

  /** A scan has its own snapshot if rows may change meanwhile. */
  protected override openScan(column: string, plan: ScanPlan, sessions: Sessions): ChunkSource {
    if (!sessions.changes) return new NativeScan(sessions.of(column), plan, async () => undefined);
    const frozen = sessions.frozen(column);
    return new NativeScan(frozen, plan, () => frozen.close());
  }

  /**
   * Writes a batch as one record of the write-ahead log. The batch survives the end of this process. With `sync` the
   * batch and all earlier writes survive a power failure too. The native package cannot sync its logs, so this engine
   * syncs them, and batches that wait at the same time share a sync. If a sync fails, the batch is written and visible,
   * and the error says that it may not be on disk. Later writes with `sync` are refused until the database is opened
   * again, and `flush` and `close` write all rows into tables.
   *
   * The caller must not pass an inverted range: RocksDB writes it to its log first and refuses the batch afterwards.
   * Batches that are not awaited are written in the order of the calls.
   */
  protected override async apply(operations: readonly WriteOperation[], sync: boolean): Promise<void> {
    if (sync) this.#logs.check();
    this.#hasWritten = true;
    await this.#writes.run(() => this.#put(operations));
    if (sync) await this.#logs.sync();
  }

  #put(operations: readonly WriteOperation[]): Promise<void> {
    const batch = this.#writer.write({ capacity: operations.length, autoDestroy: true });
    for (const operation of operations) {
      this.#writer._columnFamily = this.#present.of(operation.column)._columnFamily;
      if (operation.type === "put") batch.tryPut(operation.key, operation.value);
      else if (operation.type === "delete") batch.tryDelete(operation.key);
      else batch.tryDeleteRange(operation.gte, operation.lt);
    }
    return batch.flush();
  }

  protected override async persist(): Promise<void> {
    await this.#writes.idle();
    await this.#flush();
  }

  /** Flushes each family. */
  async #flush(): Promise<void> {
    for (const column of this.columns) {
      try {
        await this.#present.of(column).flush();
      } catch (error) {
        throw this.failure(error, `flushing ${column}`);
      }
    }
  }

  protected override size(column: string, range: ByteRange): Promise<number> {
    return this.#measure(column, range, true);
  }

  protected override get readOnlyReason(): string {
    return `${this.#path} was opened for reading; pass writable: true to open it for writing`;
  }

  /** RocksDB syncs nothing when it closes. */
  protected override async shut(): Promise<void> {
    try {
      if (this.#hasWritten) await this.#logs.sync().catch(() => this.#flush());
    } finally {
      await this.#present.closeColumns();
      await this.#writer.close();
      await this.#native.close();
      this.#release?.();
    }
  }

  protected override failure(error: unknown, doing: string): unknown {
    return engineError(error, doing, this.#path);
  }

  #measure(
    column: string,
    { gte: from = FIRST_KEY, lt: to = BEYOND_ALL }: ByteRange,
    includeFiles: boolean,
  ): Promise<number> {
    return this.#present.of(column).approximateSize(from, to, { includeMemtables: true, includeFiles });
  }
}
