/** The rows of one kind, for reading and, in a store, for writing. */
import type { EngineReader } from "../engine/engine.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import type { AnyKey, KeyRange } from "../keys/index.js";
import { checkOptions } from "../options.js";
import type { AnyRow, KeysOfRow, PartsOf, ValueOf } from "../schemas/index.js";
import type { Batch, SyncOptions } from "./batch.js";
import {
  boundChecks,
  type CountOptions,
  countChecks,
  isKey,
  isWhole,
  type KeyOrParts,
  type RowBounds,
  scanChecks,
  type TableScanOptions,
  toRange,
} from "./bounds.js";
import type { EntryOfRow } from "./entry.js";
import { TableScan } from "./table-scan.js";

/** The part of a store, a snapshot or an overlay that a table needs for reading. */
interface TableSource {
  readonly raw: EngineReader;
  get(key: AnyKey): Promise<unknown>;
  getMany(keys: readonly AnyKey[]): Promise<readonly unknown[]>;
  has(key: AnyKey): Promise<boolean>;
}

/** The part of a store that a table needs for writing. */
export interface TableTarget extends TableSource {
  put(key: AnyKey, value: unknown, options?: SyncOptions): Promise<void>;
  delete(key: AnyKey, options?: SyncOptions): Promise<void>;
  batch(): Batch;
}

/** The rows of one kind in a snapshot or an overlay: {@link Table} without writing. */
export class TableReader<R extends AnyRow = AnyRow> {
  /** The kind of row. */
  readonly row: R;
  readonly #source: TableSource;
  readonly #checkOpen: () => void;

  /** @internal */
  constructor(source: TableSource, row: R, checkOpen: () => void) {
    this.#source = source;
    this.row = row;
    this.#checkOpen = checkOpen;
  }

  /** Creates a key from its parts. @throws MerostoreError `INVALID_KEY` for wrong parts */
  key(parts: PartsOf<R["key"]>): KeysOfRow<R> {
    const KeyOfRow = this.row.key as unknown as new (parts: PartsOf<R["key"]>) => KeysOfRow<R>;
    return new KeyOfRow(parts);
  }

  /** Returns the keys between bounds, for `deleteRange` of a batch or an overlay. */
  range(bounds: RowBounds<R["key"]> = {}): KeyRange<R["key"]> {
    checkOptions("range", bounds, boundChecks);
    return toRange(this.row.key as R["key"], bounds);
  }

  /** Returns the value of a key; undefined if there is no such row. @throws DecodeError if the value does not decode */
  async get(key: KeyOrParts<R["key"]>): Promise<ValueOf<R> | undefined> {
    return (await this.#source.get(this.keyOf(key))) as ValueOf<R> | undefined;
  }

  /** Returns the values of several keys, in their order. @throws DecodeError if one of them does not decode */
  async getMany(keys: readonly KeyOrParts<R["key"]>[]): Promise<(ValueOf<R> | undefined)[]> {
    if (!Array.isArray(keys)) throw invalidArgument("getMany takes an array of keys");
    return (await this.#source.getMany(keys.map((key) => this.keyOf(key)))) as (ValueOf<R> | undefined)[];
  }

  /** Returns whether there is a row with this key. */
  async has(key: KeyOrParts<R["key"]>): Promise<boolean> {
    return this.#source.has(this.keyOf(key));
  }

  /**
   * Scans rows in key order. A value that does not decode yields an entry with an `error` and does not end the scan.
   *
   * @example
   * store.table(GroupOpLog).scan({ prefix: { groupId }, reverse: true, limit: 10 }); // the last ten operations
   */
  scan(options: TableScanOptions<R["key"]> = {}): TableScan<EntryOfRow<R>> {
    checkOptions("scan", options, scanChecks);
    const { reverse, limit, signal, onProgress } = options;
    const range = toRange(this.row.key, options);
    const { raw } = this.#source;
    return new TableScan<EntryOfRow<R>>({
      raw,
      row: this.row,
      range,
      reverse,
      limit,
      signal,
      onProgress,
      checkOpen: this.#checkOpen,
    });
  }

  /** Returns the first row within the bounds; undefined if there is none. */
  async first(bounds: CountOptions<R["key"]> = {}): Promise<EntryOfRow<R> | undefined> {
    return this.#end("first", bounds, false);
  }

  /** Returns the last row within the bounds, without reading the others; undefined if there is none. */
  async last(bounds: CountOptions<R["key"]> = {}): Promise<EntryOfRow<R> | undefined> {
    return this.#end("last", bounds, true);
  }

  async #end(
    caller: string,
    bounds: CountOptions<R["key"]>,
    reverse: boolean,
  ): Promise<EntryOfRow<R> | undefined> {
    checkOptions(caller, bounds, countChecks);
    const [entry] = await this.scan({ ...bounds, reverse, limit: 1 }).toArray();
    return entry;
  }

  /** Returns the number of rows within the bounds. It reads their keys. */
  async count(bounds: CountOptions<R["key"]> = {}): Promise<number> {
    checkOptions("count", bounds, countChecks);
    let count = 0;
    for await (const chunk of this.scan(bounds).keys().chunks()) count += chunk.length;
    return count;
  }

  /** The output of `console.log` in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `${this.constructor.name}(${this.row.kind})`;
  }

  /** Returns the key for an argument that is a key or its parts. */
  protected keyOf(given: KeyOrParts<R["key"]>): KeysOfRow<R> {
    if (typeof given !== "object" || given === null || !isKey(given))
      return this.key(given as PartsOf<R["key"]>);
    if ((given.constructor as unknown) !== this.row.key)
      throw new MerostoreError("INVALID_KEY", `expected a key of ${this.row.kind}, not ${given}`);
    return given as KeysOfRow<R>;
  }
}

/**
 * The rows of one kind: `store.table(GroupMember)`, or `store.table("GroupMember")` in any revision. A key is given as
 * an instance of its class, or as its parts by name.
 *
 * @example
 * const members = store.table(GroupMember);
 * await members.count({ prefix: { groupId } });
 * for await (const { key, value } of members.scan({ prefix: { groupId } })) console.log(`${key}`, value);
 */
export class Table<R extends AnyRow = AnyRow> extends TableReader<R> {
  readonly #target: TableTarget;

  /** @internal */
  constructor(target: TableTarget, row: R, checkOpen: () => void) {
    super(target, row, checkOpen);
    this.#target = target;
  }

  /** Writes a row. @throws EncodeError for a value with a missing, surplus or wrong field */
  async put(key: KeyOrParts<R["key"]>, value: ValueOf<R>, options?: SyncOptions): Promise<void> {
    await this.#target.put(this.keyOf(key), value, options);
  }

  /** Deletes a row, if it exists. */
  async delete(key: KeyOrParts<R["key"]>, options?: SyncOptions): Promise<void> {
    await this.#target.delete(this.keyOf(key), options);
  }

  /**
   * Deletes all rows within the bounds, including rows of other kinds between them. @see Batch.deleteRange
   *
   * @throws MerostoreError `INVALID_ARGUMENT` if the bounds exclude no key, for example if all are undefined or `{}`:
   *   {@link clear} deletes all rows
   */
  async deleteRange(bounds: RowBounds<R["key"]>, options?: SyncOptions): Promise<void> {
    const range = this.range(bounds);
    if (isWhole(range))
      throw invalidArgument("deleteRange needs a bound; clear() deletes all rows of the table");
    await this.#target.batch().deleteRange(range).write(options);
  }

  /** Deletes all rows of the table, including rows of other kinds between them. */
  async clear(options?: SyncOptions): Promise<void> {
    await this.#target.batch().deleteRange(this.range()).write(options);
  }
}
