/** Reading as the contract demands it, on a few hooks: the base of engines, of their snapshots and of overlays. */

import { checkBytes, checkScan, copyKey, copyKeys, unknownColumn } from "./arguments.js";
import { CHUNK_ROWS, type ChunkSource, type ScanPlan } from "./chunk-source.js";
import type { Bounds, EngineReader, RawRow, RawScan, ScanOptions } from "./engine.js";
import type { Closable, Lifecycle } from "./lifecycle.js";
import { RowScan } from "./scan.js";

/** The values at some keys, in the order of the keys. */
export type Values = (Uint8Array | undefined)[];

/**
 * A reader that checks arguments, refuses reads when it is closed, and ends its scans with itself.
 *
 * `ReadView` is the state that a read sees. The base asks for it when a `get`, a `getMany` or the iteration of a scan
 * begins, hands it to the hook that reads, and releases it afterwards.
 */
export abstract class ReaderBase<ReadView> implements EngineReader {
  abstract readonly columns: readonly string[];
  /** The name of the revision that the creator of the database named; undefined unless the engine keeps it. */
  readonly revision?: string | undefined;
  /** The scans, snapshots and calls of this reader. */
  protected readonly life: Lifecycle;

  constructor(life: Lifecycle) {
    this.life = life;
  }

  /** The rows that are known to be missing, in sentences. */
  get lost(): readonly string[] {
    return [];
  }

  get isClosed(): boolean {
    return this.life.isClosed;
  }

  /** Returns the state that a read beginning now sees: at once, for it is called for every read. */
  protected abstract readView(): ReadView;

  /** Called once for each state that `readView` returned, when the read or the scan is over. */
  protected release?(view: ReadView): void | Promise<void>;

  /** Returns the values at keys, in the order of the keys. There is at least one key. The arrays may be views. */
  protected abstract lookUp(
    column: string,
    keys: readonly Uint8Array[],
    view: ReadView,
  ): Values | Promise<Values>;

  /** Opens a scan that can find rows. */
  protected abstract openScan(
    column: string,
    plan: ScanPlan,
    view: ReadView,
  ): ChunkSource | Promise<ChunkSource>;

  /**
   * Returns the error that is thrown for one that a hook has thrown. Unless overridden it is the same one.
   *
   * @param _doing what failed: `reading Meta`, `writing`
   */
  protected failure(error: unknown, _doing: string): unknown {
    return error;
  }

  /** Throws CLOSED once closing has begun. */
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

  /** Values that are there at once are returned at once: to wait for them would take longer than to find them. */
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
      // Without waiting for what is there: the first read begins within the call that begins the iteration.
      const source = opened instanceof Promise ? await opened : opened;
      scan.onClose(() => source.close?.());
      for (let left = plan.limit; left > 0; ) {
        check(); // the reader may have been closed while the last rows were used, and the source with it
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

/** A scan under way. Its reader closes it when it closes itself, and waits for the read that is under way. */
class OpenScan implements Closable {
  readonly #life: Lifecycle;
  readonly #release: () => void | Promise<void>;
  #step: unknown;
  #close: (() => void | Promise<void>) | undefined;
  #closing: Promise<void> | undefined;

  /** @param release called when the scan is closed, after what {@link onClose} set */
  constructor(life: Lifecycle, release: () => void | Promise<void>) {
    this.#life = life;
    this.#release = release;
    life.own(this);
  }

  /** Notes the step of the scan that is under way, which closing waits for, and returns it. */
  step<T>(step: T): T {
    this.#step = step;
    return step;
  }

  /** Sets what closes the source of the rows. */
  onClose(close: () => void | Promise<void>): void {
    this.#close = close;
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    try {
      if (this.#step instanceof Promise) await this.#step.catch(() => undefined); // the iteration has its error
      await this.#close?.();
    } finally {
      this.#life.disown(this);
      await this.#release();
    }
  }
}
