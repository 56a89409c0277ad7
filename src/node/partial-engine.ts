/** Reads a database with damaged tables. */
import { copyBytes } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { checkRange } from "../engine/arguments.js";
import type {
  Bounds,
  Capabilities,
  Engine,
  EngineReader,
  EngineSnapshot,
  RawRow,
  RawScan,
  ScanOptions,
  Unflushed,
  WriteOperation,
  WriteOptions,
} from "../engine/engine.js";
import { RowScan } from "../engine/scan.js";
import { isMerostoreError, type Warning } from "../errors.js";
import { checkArgument, isReader } from "../options.js";
import type { Schema } from "../schemas/index.js";
import { Store } from "../store/browser.js";
import { shareUnread, unreadOf } from "./tables/unread.js";

/**
 * Returns a store over another one that leaves out damaged tables: its scans end at the damage, and a read of a single
 * row finds no row there. `unread` of a {@link CalimeroNode} on it has the ranges that were left out. An answer that a
 * row in such a range is absent may be wrong. Closing the returned store closes the other one. Exports and snapshots
 * fail at the damage, as without this function.
 *
 * @param columns the column families in which damage is left out: all unless given
 * @example
 * const node = new CalimeroNode(partialStore(await openStore("node/data")));
 * const contexts = await node.contexts();
 * for (const { column, message } of node.unread.damaged) console.warn(column, message);
 */
export function partialStore<S extends Schema>(store: Store<S>, columns?: readonly string[]): Store<S> {
  checkArgument("partialStore", store, isReader);
  const engine = new PartialEngine(store.raw, columns);
  shareUnread({ raw: engine }, store);
  return new Store(engine, store.schema, store.detection);
}

class PartialEngine implements Engine {
  readonly strict: EngineReader;
  readonly refresh?: () => Promise<void>;
  readonly unflushed?: (column: string) => Promise<Unflushed>;
  readonly #base: Engine;
  readonly #columns: readonly string[] | undefined;

  constructor(base: Engine, columns: readonly string[] | undefined) {
    this.#columns = columns;
    this.strict = base.strict ?? base;
    this.#base = base;
    if (base.refresh !== undefined) this.refresh = base.refresh.bind(base);
    if (base.unflushed !== undefined) this.unflushed = base.unflushed.bind(base);
  }

  get columns(): readonly string[] {
    return this.#base.columns;
  }

  get capabilities(): Capabilities {
    return this.#base.capabilities;
  }

  get warnings(): readonly Warning[] {
    return this.#base.warnings;
  }

  get lost(): readonly string[] {
    return this.#base.lost ?? [];
  }

  get isClosed(): boolean {
    return this.#base.isClosed ?? false;
  }

  async get(column: string, key: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return await this.#base.get(column, key);
    } catch (error) {
      this.#pass(error, column, key, key);
      return undefined;
    }
  }

  async getMany(column: string, keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    try {
      return await this.#base.getMany(column, keys);
    } catch (error) {
      if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    }
    const values: (Uint8Array | undefined)[] = [];
    for (const key of keys) values.push(await this.get(column, key));
    return values;
  }

  scan(column: string, bounds: Bounds = {}, options: ScanOptions = {}): RawScan {
    const read = (keysOnly: boolean) =>
      this.#rows(column, bounds, keysOnly ? { ...options, keysOnly } : options);
    return new RowScan(read, () => options.signal?.throwIfAborted());
  }

  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<void> {
    return this.#base.write(operations, options);
  }

  snapshot(): Promise<EngineSnapshot> {
    return this.#base.snapshot();
  }

  approximateSize(column: string, range?: Bounds): Promise<number> {
    return this.#base.approximateSize(column, range);
  }

  flush(): Promise<void> {
    return this.#base.flush();
  }

  close(): Promise<void> {
    return this.#base.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#rows(
    column: string,
    bounds: Bounds,
    options: ScanOptions,
  ): AsyncGenerator<readonly RawRow[], void, undefined> {
    const { gte: from, lt: to } = checkRange(bounds);
    let last: Uint8Array | undefined;
    try {
      for await (const chunk of this.#base.scan(column, bounds, options).chunks()) {
        // The rows belong to the caller, who may change them.
        last = copyBytes((chunk.at(-1) as RawRow).key);
        yield chunk;
      }
    } catch (error) {
      const [after, before] = options.reverse ? [from, last ?? to] : [last ?? from, to];
      this.#pass(error, column, after, before);
    }
  }

  /** Keeps the range that cannot be read. Throws any other error. */
  #pass(error: unknown, column: string, after: Uint8Array | undefined, before: Uint8Array | undefined): void {
    if (!isMerostoreError(error, "DATABASE_DAMAGED") || this.#columns?.includes(column) === false)
      throw error;
    unreadOf({ raw: this }).addDamaged({
      ...{ column, message: error.message },
      ...{ after: after && toHex(after), before: before && toHex(before) },
    });
  }
}
