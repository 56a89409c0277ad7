import type { Engine, WriteOptions } from "../engine/engine.js";
import { invalidArgument, MerostoreError, type Warning } from "../errors.js";
import { checkOptions } from "../options.js";
import {
  type ClassesOf,
  type Detection,
  encodeAccepted,
  type KeysOf,
  type KindsOf,
  type RowOfClass,
  type RowsOfKind,
  type Schema,
  type ValueFor,
  warnOfRevision,
} from "../schemas/index.js";
import { Batch, type SyncOptions } from "./batch.js";
import type { Change, ChangeOfKind } from "./change.js";
import type { PendingChange } from "./column-changes.js";
import { OrderedWrites } from "./ordered-writes.js";
import { Overlay, type OverlayTarget } from "./overlay.js";
import { StoreReader } from "./reader.js";
import { Snapshot } from "./snapshot.js";
import { Table } from "./table.js";
import type { NoTable, RowNamed, TableName } from "./table-of.js";
import { type Changes, type WatchOptions, watchChanges, watchOptions } from "./watch.js";

/**
 * A node's database with typed rows. Values are checked and encoded before they reach the engine; a failed write leaves
 * the old state. Written rows survive a crash of the process immediately. They survive a crash of the machine, such as
 * a power failure, if they were written with `sync`, and after `flush` or `close`. Writes that are not awaited are made
 * in the order of the calls.
 */
export class Store<S extends Schema = Schema> extends StoreReader<S> implements AsyncDisposable {
  /** The engine under this store. */
  declare readonly raw: Engine;
  /** The result of the detection of the revision; undefined if the caller gave the schema. */
  readonly detection: Detection | undefined;
  /** True if writes without the option `sync` are synced. */
  readonly #sync: boolean;
  readonly #writes: OrderedWrites;
  readonly #target: OverlayTarget = {
    write: (changes, sync = this.#sync) => this.#write(changes, { sync }),
  };
  #closed = false;

  constructor(engine: Engine, schema: S, detection?: Detection, options: SyncOptions = {}) {
    super(engine, schema);
    this.detection = detection;
    this.#sync = options.sync ?? false;
    this.#writes = new OrderedWrites(engine);
  }

  /**
   * Problems that did not prevent the opening: a write-ahead log that ends in damage or, for reading, a schema that
   * does not fit the column families.
   */
  get warnings(): readonly Warning[] {
    const { warnings, columns, capabilities } = this.raw;
    const isNamed = this.detection === undefined && !capabilities.writable;
    const other = isNamed ? warnOfRevision(columns, this.schema) : undefined;
    return other === undefined ? warnings : [...warnings, other];
  }

  override table<C extends ClassesOf<S>>(key: C): Table<RowOfClass<S, C>>;
  override table<K extends KindsOf<S>>(kind: K): Table<RowsOfKind<S, K>>;
  override table<T extends ClassesOf<S> | KindsOf<S>>(of: T): Table<RowNamed<S, T>>;
  override table<const T extends TableName>(unknown: T extends unknown ? NoTable<S, T> : T): never;
  override table(of: TableName): unknown {
    return new Table(this as unknown as Store, this.rowNamed(of), () => this.checkOpen());
  }

  /** Writes one row. @throws EncodeError for a value with a missing, surplus or wrong field */
  async put<K extends KeysOf<S>>(key: K, value: ValueFor<S, K>, options?: SyncOptions): Promise<void> {
    await this.batch().put(key, value).write(options);
  }

  /** Deletes one row, if it exists. */
  async delete<K extends KeysOf<S>>(key: K, options?: SyncOptions): Promise<void> {
    await this.batch().delete(key).write(options);
  }

  /** Creates a batch: changes that are written atomically. */
  batch(): Batch<S> {
    return new Batch<S>({
      raw: this.raw,
      rowOf: (key) => this.rowOf(key),
      encode: (key, value) => {
        const row = this.rowOf(key);
        const bytes = encodeAccepted(row, key, value);
        this.checkColumn(key.COLUMN);
        return { type: "put", column: key.COLUMN, key: key.bytes, value: bytes };
      },
      write: (changes, sync = this.#sync) => this.#write(changes, { owned: true, sync }),
    });
  }

  /** Creates a consistent view of the current state of all column families. */
  async snapshot(): Promise<Snapshot<S>> {
    return new Snapshot(await this.raw.snapshot(), this.schema, this.#target);
  }

  /** Creates an overlay: uncommitted changes over this store. */
  overlay(): Overlay<S> {
    return new Overlay(this.raw, this.schema, this.#target);
  }

  /**
   * Makes writes of other processes visible, for example of a running node. Open scans and snapshots keep their state.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for an engine that cannot refresh: `rocksdb`, opened for reading
   */
  async refresh(): Promise<void> {
    this.checkOpen();
    const { engine, writable } = this.raw.capabilities;
    if (this.raw.refresh !== undefined) await this.raw.refresh();
    else if (!writable) {
      throw invalidArgument(`the engine ${engine} cannot refresh: close the database and open it again`);
    }
  }

  /**
   * Yields the changes that a running node makes after the present state of the store: each change once, in order,
   * within `interval`. The iteration ends when `signal` is aborted, the loop is left or the store is closed. Reads show
   * the old state until `refresh`. `watch` itself refreshes the store only when it reports a {@link Rescan}, and
   * occasionally with `existed`.
   *
   * @throws MerostoreError `INVALID_ARGUMENT` for engines other than `files`, which cannot follow a writer;
   *   `UNKNOWN_NAME` for a kind that the schema does not have. The iteration: `DATABASE_DAMAGED`, `FORMAT_UNSUPPORTED`,
   *   `ENGINE_FAILED`
   * @example
   * await using store = await openStore("node/data");
   * for await (const change of store.watch({ kinds: ["ContextMeta"], signal: AbortSignal.timeout(1000) })) {
   *   if (change.type === "put") console.log(`${change.key}`, change.value ?? change.error);
   *   else if (change.type === "delete") console.log(`${change.key} was deleted`);
   * }
   */
  watch<K extends KindsOf<S>>(
    options: WatchOptions & { readonly kinds: readonly K[] },
  ): Changes<ChangeOfKind<S, K>>;
  watch(options?: WatchOptions & { readonly kinds?: undefined }): Changes<Change<S>>;
  watch(options: WatchOptions & { readonly kinds?: readonly string[] | undefined } = {}): Changes<Change> {
    this.checkOpen();
    checkOptions("watch", options, watchOptions);
    const { engine, changes } = this.raw.capabilities;
    if (changes !== true)
      throw invalidArgument(
        engine === "files"
          ? "the engine files cannot watch what is not in a folder, or is open for writing: open the folder for reading"
          : `the engine ${engine} cannot watch: open the folder of the database for reading, with the engine files`,
      );
    return watchChanges(this.raw, this.schema, { ...options });
  }

  /** Makes all previous writes durable in table files, awaited or not. `sync` is faster for a few rows. */
  async flush(): Promise<void> {
    const { handing } = this.#writes;
    if (handing !== undefined) await handing;
    await this.raw.flush();
  }

  /** Waits for operations in progress, makes all writes durable and closes the engine. Later calls throw `CLOSED`. */
  async close(): Promise<void> {
    this.#closed = true;
    const { handing } = this.#writes;
    if (handing !== undefined) await handing;
    await this.raw.close();
  }

  async #write(changes: readonly PendingChange[], options: WriteOptions): Promise<void> {
    this.checkOpen();
    await this.#writes.write(changes, options);
  }

  protected override summary(): object {
    const { engine, writable } = this.raw.capabilities;
    return { ...super.summary(), engine, writable, warnings: this.warnings };
  }

  protected override checkOpen(): void {
    if (this.#closed || this.raw.isClosed) throw new MerostoreError("CLOSED", "the database is closed");
  }

  /** Closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
