/** The engine over an open LevelDB database, and its snapshots. */

import { FIRST_KEY } from "../../bytes/order.js";
import { SerialQueue } from "../../collections/serial-queue.js";
import { folderFiles } from "../../disk/folder.js";
import { LogSync } from "../../disk/log-sync.js";
import { contains } from "../../engine/arguments.js";
import { CHUNK_ROWS, type ChunkSource, type ScanPlan } from "../../engine/chunk-source.js";
import type { ByteRange, Capabilities, WriteOperation } from "../../engine/engine.js";
import { EngineBase } from "../../engine/engine-base.js";
import { BEYOND_ALL, plain } from "../../engine/native.js";
import type { Values } from "../../engine/reader-base.js";
import { MerostoreError, type Warning } from "../../errors.js";
import { fileSize } from "../../lsm/catalog/catalog.js";
import type { LevelBatch, LevelDatabase, LevelIterator, LevelReadView } from "./binding.js";
import { levelError } from "./classify.js";
import { CHUNK_BYTES, LevelScan } from "./level-scan.js";

/** An open database, ready to be used. */
interface OpenLevel {
  readonly database: LevelDatabase;
  readonly path: string;
  readonly warnings: readonly Warning[];
  /** Called when the database is closed. */
  readonly release: () => void;
}

/** An operation on one key. */
type SingleOperation = Exclude<WriteOperation, { readonly type: "deleteRange" }>;

/** The view of reads outside snapshots: the present state. */
const PRESENT: LevelReadView = {};

export class LevelEngine extends EngineBase<LevelReadView> {
  /** LevelDB has no column families: all rows are in this one. */
  readonly columns: readonly string[] = ["default"];
  readonly capabilities: Capabilities = {
    engine: "leveldb",
    writable: true,
    persistent: true,
    syncedWrites: true,
  };
  readonly warnings: readonly Warning[];
  readonly #database: LevelDatabase;
  readonly #path: string;
  readonly #release: () => void;
  /** All operations that change the database, in the order of the calls. */
  readonly #writes = new SerialQueue();
  readonly #logs: LogSync;
  /** The number of written batches, and how many of them are synced. */
  #written = 0;
  #synced = 0;
  #writeFailure: MerostoreError | undefined;

  constructor({ database, path, warnings, release }: OpenLevel) {
    super();
    this.#database = database;
    this.#path = path;
    this.#logs = new LogSync(path);
    this.warnings = warnings;
    this.#release = release;
  }

  protected override readView(): LevelReadView {
    return PRESENT;
  }

  protected override pin(): LevelReadView {
    return { snapshot: this.#database.snapshot() };
  }

  protected override release({ snapshot }: LevelReadView): Promise<void> | undefined {
    return snapshot?.close();
  }

  protected override async lookUp(
    _column: string,
    keys: readonly Uint8Array[],
    view: LevelReadView,
  ): Promise<Values> {
    const [first] = keys;
    if (keys.length > 1 || first === undefined)
      return (await this.#database.getMany([...keys], view)).map((value) => value && plain(value));
    const value = await this.#database.get(first, view);
    return [value && plain(value)];
  }

  protected override openScan(_column: string, plan: ScanPlan, view: LevelReadView): ChunkSource {
    const iterator = this.#iterate(plan, plan.reverse, plan.keysOnly, view);
    return new LevelScan(iterator, plan.limit, plan.keysOnly);
  }

  /**
   * Writes a batch as one record of the write-ahead log. LevelDB deletes only single keys: a deleteRange becomes a
   * delete of each key that is in the range when the batch has its turn. These deletes are in memory together. Writes
   * wait for each other, so no other write comes between.
   *
   * Without `sync` the batch survives the end of this process, however sudden. With it, the batch and all earlier
   * writes survive a power failure too. LevelDB itself would sync only the newest log, on macOS only to the drive's
   * cache, and would hide a batch whose sync failed. So this engine syncs the logs, and batches that wait at the same
   * time share a sync. LevelDB does not sync the folder of its tables: the file system must keep the name of a synced
   * file, as ext4, XFS, Btrfs and APFS do. If a sync fails, the batch is written and shown, and the error says that it
   * may not be on disk; later writes with `sync` are refused until the database is opened again, and `flush` and
   * `close` write all rows into tables.
   */
  protected override async apply(operations: readonly WriteOperation[], sync: boolean): Promise<void> {
    if (sync) this.#logs.check();
    await this.#writes.run(() => this.#put(operations));
    if (sync) await this.#sync();
  }

  async #put(operations: readonly WriteOperation[]): Promise<void> {
    const batch = await this.#batchOf(operations);
    if (batch.length === 0) return batch.close();
    try {
      this.#checkWrites();
    } catch (error) {
      await batch.close();
      throw error;
    }
    await batch.write().catch((error: unknown) => {
      this.#writeFailure = levelError(error, "writing", this.#path);
      throw this.#writeFailure;
    });
    this.#written++;
  }

  async #sync(): Promise<void> {
    const written = this.#written;
    await this.#logs.sync();
    this.#synced = Math.max(this.#synced, written);
  }

  protected override persist(): Promise<void> {
    return this.#writes.run(() => this.#flush());
  }

  /** Counts table files only: rows in the write-ahead log count as 0 bytes. */
  protected override size(
    _column: string,
    { gte: from = FIRST_KEY, lt: to = BEYOND_ALL }: ByteRange,
  ): Promise<number> {
    return this.#database.approximateSize(from, to);
  }

  /** LevelDB syncs nothing when it closes. */
  protected override async shut(): Promise<void> {
    try {
      if (this.#written > this.#synced) await this.#sync().catch(() => this.#flush());
    } finally {
      await this.#database.close();
      this.#release();
    }
  }

  protected override failure(error: unknown, doing: string): unknown {
    return levelError(error, doing, this.#path);
  }

  /**
   * Converts the operations into a LevelDB batch. A chained batch takes a third of the time of an array of operations,
   * whose fields the binding reads by name.
   */
  async #batchOf(operations: readonly WriteOperation[]): Promise<LevelBatch> {
    const single = operations.some(({ type }) => type === "deleteRange")
      ? await this.#withoutRanges(operations)
      : (operations as readonly SingleOperation[]);
    const batch = this.#database.batch();
    for (const operation of single) {
      if (operation.type === "put") batch.put(operation.key, operation.value);
      else batch.del(operation.key);
    }
    return batch;
  }

  async #withoutRanges(operations: readonly WriteOperation[]): Promise<SingleOperation[]> {
    let single: SingleOperation[] = [];
    for (const operation of operations) {
      if (operation.type === "deleteRange") {
        // The range deletion cancels earlier operations of the batch in its range.
        single = single.filter(({ key }) => !contains(operation, key));
        for (const key of await this.#keys(operation))
          single.push({ type: "delete", column: operation.column, key });
      } else single.push(operation);
    }
    return single;
  }

  /** The rows of a range that is not empty. */
  #iterate(
    { gte: from, lt: to }: ByteRange,
    reverse: boolean,
    keysOnly: boolean,
    view: LevelReadView,
  ): LevelIterator {
    return this.#database.iterator({
      ...view,
      ...(from === undefined ? {} : { gte: from }),
      ...(to === undefined ? {} : { lt: to }),
      reverse,
      values: !keysOnly,
      highWaterMarkBytes: CHUNK_BYTES,
    });
  }

  async #keys(range: ByteRange): Promise<Uint8Array[]> {
    const keys: Uint8Array[] = [];
    const iterator = this.#iterate(range, false, true, PRESENT);
    try {
      for (
        let rows = await iterator.nextv(CHUNK_ROWS);
        rows.length > 0;
        rows = await iterator.nextv(CHUNK_ROWS)
      )
        for (const [key] of rows) keys.push(key);
    } finally {
      await iterator.close();
    }
    return keys;
  }

  /** After a failed write, for example on a full disk, LevelDB would append after the written part of it in the log. */
  #checkWrites(): void {
    if (this.#writeFailure === undefined) return;
    throw new MerostoreError("ENGINE_FAILED", `nothing was written: ${this.#writeFailure.message}`, {
      cause: this.#writeFailure,
    });
  }

  async #flush(): Promise<void> {
    await this.#database.compactRange(FIRST_KEY, FIRST_KEY);
    await this.#checkLogs();
  }

  /** Throws if a log still has rows: LevelDB does not report that it could not make a table. */
  async #checkLogs(): Promise<void> {
    const files = folderFiles(this.#path);
    const logs = (await files.list()).filter((name) => name.endsWith(".log"));
    for (const name of logs) {
      if ((await fileSize(files, name)) !== 0)
        throw new MerostoreError("ENGINE_FAILED", `flushing failed: ${files.where(name)} is still needed`);
    }
    if (logs.length === 0)
      throw new MerostoreError("ENGINE_FAILED", `flushing failed: ${this.#path} has no log any more`);
  }
}
