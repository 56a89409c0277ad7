import { copyBytes, isBytes } from "../bytes/bytes.js";
import { scanOptions } from "../engine/arguments.js";
import type { EngineReader, RawRow, ScanOptions } from "../engine/engine.js";
import { Scan } from "../engine/scan.js";
import { MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass, KeyOf, KeyRange } from "../keys/index.js";
import { checkOptions } from "../options.js";
import type {
  AnyRow,
  ClassesOf,
  KeysOf,
  KindsOf,
  LeadingFor,
  PartsFor,
  RowsOfKind,
  Schema,
  ValueFor,
  ValueOfKind,
} from "../schemas/index.js";
import { decodeValue, type Entry, type EntryOfKind, entriesOf, type KeyEntry } from "./entry.js";
import { rowsOfKind } from "./scan.js";

/** The argument of a scan: a key class (all its rows), or a range of one. */
export type Scannable<C extends AnyKeyClass> = C | KeyRange<C>;

/** Reading of typed rows. The base class of stores, snapshots and overlays. */
export class StoreReader<S extends Schema = Schema> {
  /** The underlying engine or view: raw bytes of all column families, including unknown ones. */
  readonly raw: EngineReader;
  /** The revision in which rows are read and written. */
  readonly schema: S;

  constructor(raw: EngineReader, schema: S) {
    this.raw = raw;
    this.schema = schema;
  }

  /** All column families of the database: those of the schema in its order, then the others. */
  get columns(): readonly string[] {
    const present = this.raw.columns;
    const known = this.schema.columns.filter((column) => present.includes(column));
    return [...known, ...present.filter((column) => !known.includes(column))];
  }

  /**
   * Creates a key of a kind, in the layout of this store's revision.
   *
   * @throws MerostoreError `UNKNOWN_NAME` for a kind that the schema does not have; `INVALID_KEY` for wrong parts
   */
  key<K extends KindsOf<S>>(kind: K, parts: PartsFor<S, K>): KeyOf<RowsOfKind<S, K>["key"]> {
    const KeyOfKind = this.schema.row(kind).key as unknown as new (parts: PartsFor<S, K>) => AnyKey;
    return new KeyOfKind(parts) as KeyOf<RowsOfKind<S, K>["key"]>;
  }

  /**
   * Returns the range of all keys of a kind, or of those with these leading parts, in the layout of this store's
   * revision.
   *
   * @throws MerostoreError `UNKNOWN_NAME` for a kind that the schema does not have; `INVALID_KEY` for wrong parts
   * @example
   * store.scan(store.range("GroupOpLog", { groupId }), { reverse: true, limit: 10 })
   */
  range<K extends KindsOf<S>>(kind: K, leading?: LeadingFor<S, K>): KeyRange<RowsOfKind<S, K>["key"]> {
    return this.schema.row(kind).key.range((leading ?? {}) as Readonly<Record<string, unknown>>) as KeyRange<
      RowsOfKind<S, K>["key"]
    >;
  }

  /**
   * Returns the value of a key, or undefined if there is no such row. The key can also be passed as its kind and its
   * parts, which works in every revision.
   *
   * @throws DecodeError if the value does not decode
   * @example
   * await store.get(new ContextMeta({ contextId }));
   * await store.get("ContextMeta", { contextId });
   */
  async get<K extends KeysOf<S>>(key: K): Promise<ValueFor<S, K> | undefined>;
  async get<K extends KindsOf<S>>(kind: K, parts: PartsFor<S, K>): Promise<ValueOfKind<S, K> | undefined>;
  async get(of: AnyKey | KindsOf<S>, parts?: PartsFor<S, string>): Promise<unknown> {
    const key = typeof of === "string" ? this.key(of, parts as PartsFor<S, typeof of>) : of;
    const row = this.rowOf(key);
    if (!this.raw.columns.includes(key.COLUMN)) return undefined;
    const bytes = await this.raw.get(key.COLUMN, key.bytes);
    return bytes === undefined ? undefined : decodeValue(row.valueAt(key), key, bytes);
  }

  /**
   * Returns the values of several keys, in their order, with one read for each column family. @throws DecodeError if
   * one of them does not decode
   */
  async getMany<K extends KeysOf<S>>(keys: readonly K[]): Promise<(ValueFor<S, K> | undefined)[]> {
    const rows = keys.map((key) => this.rowOf(key));
    const values: (ValueFor<S, K> | undefined)[] = new Array(keys.length).fill(undefined);
    for (const column of new Set(rows.map((row) => row.column))) {
      if (!this.raw.columns.includes(column)) continue;
      const indexes = [...keys.keys()].filter((index) => rows[index]?.column === column);
      const bytes = await this.raw.getMany(
        column,
        indexes.map((index) => (keys[index] as K).bytes),
      );
      for (const [at, index] of indexes.entries()) {
        const found = bytes[at];
        if (found === undefined) continue;
        const key = keys[index] as K;
        values[index] = decodeValue((rows[index] as AnyRow).valueAt(key), key, found) as ValueFor<S, K>;
      }
    }
    return values;
  }

  /** Returns whether there is a row with this key. */
  async has<K extends KeysOf<S>>(key: K): Promise<boolean> {
    this.rowOf(key);
    return this.raw.columns.includes(key.COLUMN) && (await this.raw.get(key.COLUMN, key.bytes)) !== undefined;
  }

  /**
   * Scans the rows of a key class, of a range or of a kind in key order. A value that does not decode yields an entry
   * with an `error` and does not end the scan.
   *
   * @example
   * store.scan(GroupOpLog.range({ groupId }), { reverse: true, limit: 10 }) // the last ten operations
   * store.scan("GroupMember") // the members of all groups, in any revision
   */
  scan<C extends ClassesOf<S>>(
    of: Scannable<C>,
    options: ScanOptions & { keysOnly: true },
  ): Scan<KeyEntry<KeyOf<C>>>;
  scan<C extends ClassesOf<S>>(
    of: Scannable<C>,
    options?: ScanOptions,
  ): Scan<Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>>>;
  scan<K extends KindsOf<S>>(
    kind: K,
    options: ScanOptions & { keysOnly: true },
  ): Scan<KeyEntry<KeyOf<RowsOfKind<S, K>["key"]>>>;
  scan<K extends KindsOf<S>>(kind: K, options?: ScanOptions): Scan<EntryOfKind<S, K>>;
  scan(of: Scannable<AnyKeyClass> | string, options: ScanOptions = {}): Scan<unknown> {
    checkOptions("scan", options, scanOptions);
    const range = toRange(typeof of === "string" ? this.schema.row(of).key : of);
    const toEntry = entriesOf(this.schema.rowOf(range.key));
    const decode = options.keysOnly
      ? (row: RawRow) => ({ key: range.key.view(row.key) })
      : (row: RawRow) => toEntry(range.key.view(row.key), row.value);
    return new Scan(mapChunks(rowsOfKind(this.raw, range, { ...options }), decode), () => this.checkOpen());
  }

  /** Returns the first row of a range; undefined if the range is empty. */
  async first<C extends ClassesOf<S>>(
    of: Scannable<C>,
  ): Promise<Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>> | undefined> {
    for await (const entry of this.scan(of, { limit: 1 })) return entry;
    return undefined;
  }

  /** Returns the last row of a range, without reading the others; undefined if the range is empty. */
  async last<C extends ClassesOf<S>>(
    of: Scannable<C>,
  ): Promise<Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>> | undefined> {
    for await (const entry of this.scan(of, { limit: 1, reverse: true })) return entry;
    return undefined;
  }

  /** Returns the number of rows in a range. Reads their keys. */
  async count<C extends ClassesOf<S>>(of: Scannable<C>): Promise<number> {
    const range = toRange(of);
    this.schema.rowOf(range.key);
    let count = 0;
    for await (const chunk of rowsOfKind(this.raw, range, { keysOnly: true })) count += chunk.length;
    return count;
  }

  /** The output of `console.log` in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _depth: number,
    options: object,
    inspect: (value: object, options: object) => string,
  ): string {
    return `${this.constructor.name} ${inspect(this.summary(), options)}`;
  }

  /** The properties that `console.log` shows. */
  protected summary(): object {
    return { revision: this.schema.name, columns: this.columns.length };
  }

  /** @throws MerostoreError `CLOSED` */
  protected checkOpen(): void {
    if (this.raw.isClosed)
      throw new MerostoreError("CLOSED", "the store is closed, or this snapshot or overlay of it");
  }

  /**
   * Returns the kind of row of a key. @throws MerostoreError `INVALID_KEY` for anything that is not a key of this
   * schema
   */
  protected rowOf(key: AnyKey): AnyRow {
    const keyClass = (key as { readonly constructor?: unknown } | undefined)?.constructor;
    if (keyClass === undefined || !isBytes(key.bytes)) {
      throw new MerostoreError("INVALID_KEY", "expected a key, for example new ContextMeta({ contextId })");
    }
    return this.schema.rowOf(keyClass as AnyKeyClass);
  }
}

/** Converts a key class to the range of all its keys. */
export function toRange<C extends AnyKeyClass>(of: Scannable<C>): KeyRange<C> {
  if (of === undefined || of === null || !("key" in of || "range" in of)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "expected a key class or a range of one, for example GroupMember",
    );
  }
  if (!("key" in of)) return of.range({}) as KeyRange<C>;
  const { key, column, from, to } = of; // a copy, because the caller may change it later
  return { key, column, from: from && copyBytes(from), to: to && copyBytes(to) };
}

async function* mapChunks<T>(
  chunks: AsyncGenerator<readonly RawRow[], void, undefined>,
  decode: (row: RawRow) => T,
): AsyncGenerator<readonly T[], void, undefined> {
  for await (const chunk of chunks) yield chunk.map(decode);
}
