/** The reading part of the contract on a few hooks: the base of engines, snapshots and overlays. */

import { checkBytes, checkScan, copyKey, copyKeys, unknownColumn } from "./arguments.js";
import { CHUNK_ROWS, type ChunkSource, type ScanPlan } from "./chunk-source.js";
import type { Bounds, EngineReader, RawRow, RawScan, ScanOptions } from "./engine.js";
import type { Closable, Lifecycle } from "./lifecycle.js";
import { RowScan } from "./scan.js";

/** The values at some keys, in the order of the keys. */
export type Values = (Uint8Array | undefined)[];

/**
 * A reader that checks arguments, refuses reads after it is closed, and ends its scans when it closes.
 *
 * `ReadView` is the state that a read sees. The base requests it at the beginning of a `get`, a `getMany` or the
 * iteration of a scan, passes it to the hook that reads, and releases it afterwards.
 */
export abstract class ReaderBase<ReadView> implements EngineReader {
  abstract readonly columns: readonly string[];
  /** The revision's name at the creation of the database; undefined unless the engine stores it. */
  readonly revision?: string | undefined;
  /** The scans, snapshots and calls of this reader. */
  protected readonly life: Lifecycle;

  constructor(life: Lifecycle) {
    this.life = life;
  }

  /** Sentences about rows that are known to be missing. */
  get lost(): readonly string[] {
    return [];
  }

  get isClosed(): boolean {
    return this.life.isClosed;
  }

  /** Returns the state for a read that begins now. It must be fast, because it is called for every read. */
  protected abstract readView(): ReadView;

  /** Called once for each result of `readView`, when the read or the scan is over. */
  protected release?(view: ReadView): void | Promise<void>;

  /** Returns the values at keys, in the order of the keys. There is at least one key. The arrays may be views. */
  protected abstract lookUp(
    column: string,
    keys: readonly Uint8Array[],
    view: ReadView,
  ): Values | Promise<Values>;

  /** Opens a scan whose range is not empty. */
  protected abstract openScan(
    column: string,
    plan: ScanPlan,
    view: ReadView,
  ): ChunkSource | Promise<ChunkSource>;

  /**
   * Converts an error that a hook has thrown. By default it returns the same error.
   *
   * @param _doing what failed: `reading Meta`, `writing`
   */
  protected failure(error: unknown, _doing: string): unknown {
    return error;
  }

  /** Throws CLOSED after closing has begun. */
  protected checkOpen(): void {
    this.life.check();
  }

  /** Throws UNKNOWN_COLUMN_FAMILY. */
  protected checkColumn(column: string): void {
    if (!this.columns.includes(column)) throw unknownColumn(column, this.columns);
  }

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    this.checkOpen();
    this.checkColumn(column);
    checkBytes(key, "the key of a get from", column);
    const found = this.#read(column, [copyKey(key)]);
    return Array.isArray(found) ? found[0] : (await found)[0];
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<Values> {
    this.checkOpen();
    this.checkColumn(column);
    const wanted = copyKeys(keys, column);
    return wanted.length === 0 ? [] : this.#read(column, wanted);
  }

  scan(column: string, bounds?: Bounds, options?: ScanOptions): RawScan {
    this.checkOpen();
    this.checkColumn(column);
    const plan = checkScan(bounds, options);
    const check = (): void => {
      options?.signal?.throwIfAborted();
      this.checkOpen();
    };
    const read = (keysOnly: boolean) =>
      this.#chunks(column, keysOnly && plan !== undefined ? { ...plan, keysOnly } : plan, check);
    return new RowScan(read, check);
  }

  /** Returns synchronous values without a promise, because awaiting them takes longer than finding them. */
  #read(column: string, keys: readonly Uint8Array[]): Values | Promise<Values> {
    const view = this.readView();
    let found: Values | Promise<Values>;
    try {
      found = this.lookUp(column, keys, view);
    } catch (error) {
      found = Promise.reject(error);
    }
    if (Array.isArray(found) && this.release === undefined) return found;
    return this.life.run(() => this.#finish(found, column, view));
  }

  async #finish(found: Values | Promise<Values>, column: string, view: ReadView): Promise<Values> {
    try {
      return await found;
    } catch (error) {
      throw this.failure(error, `reading ${column}`);
    } finally {
      const released = this.release?.(view);
      if (released !== undefined) await released;
    }
  }

  async *#chunks(
    column: string,
    plan: ScanPlan | undefined,
    check: () => void,
  ): AsyncGenerator<readonly RawRow[], void, undefined> {
    check();
    if (plan === undefined) return;
    const view = this.readView();
    const scan = new OpenScan(this.life, () => this.release?.(view));
    try {
      const opened = scan.step(this.openScan(column, plan, view));
      // Awaits only promises, so that the first read begins in the call that begins the iteration.
      const source = opened instanceof Promise ? await opened : opened;
      scan.onClose(() => source.close?.());
      for (let left = plan.limit; left > 0; ) {
        check(); // the reader and its source may have been closed since the last rows
        const rows = await scan.step(source.next(Math.min(CHUNK_ROWS, left)));
        check();
        if (rows === undefined) return;
        left -= rows.length;
        if (rows.length > 0) yield left < 0 ? rows.slice(0, left) : rows;
      }
    } catch (error) {
      throw this.failure(error, `reading ${column}`);
    } finally {
      scan.step(undefined);
      await scan.close();
    }
  }
}

/** An open scan. Its reader closes it when it closes, and waits for its pending read. */
class OpenScan implements Closable {
  readonly #life: Lifecycle;
  readonly #release: () => void | Promise<void>;
  #step: unknown;
  #close: (() => void | Promise<void>) | undefined;
  #closing: Promise<void> | undefined;

  /** @param release called when the scan is closed, after the function of {@link onClose} */
  constructor(life: Lifecycle, release: () => void | Promise<void>) {
    this.#life = life;
    this.#release = release;
    life.own(this);
  }

  /** Records the pending step of the scan, for which closing waits, and returns it. */
  step<T>(step: T): T {
    this.#step = step;
    return step;
  }

  /** Sets the function that closes the source of the rows. */
  onClose(close: () => void | Promise<void>): void {
    this.#close = close;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      if (this.#step instanceof Promise) await this.#step.catch(() => undefined); // the iteration gets its error
      await this.#close?.();
    } finally {
      this.#life.disown(this);
      await this.#release();
    }
  }
}
