import { copyBytes, isBytes } from "../bytes/bytes.js";
import { scanOptions } from "../engine/arguments.js";
import type { EngineReader, RawRow, ScanOptions } from "../engine/engine.js";
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
import { rowsOfKind, Scan } from "./scan.js";

/** What can be scanned: a key class (all its rows), or a range of one. */
export type Scannable<C extends AnyKeyClass> = C | KeyRange<C>;

/** Reading typed rows: what a store, a snapshot and an overlay have in common. */
export class StoreReader<S extends Schema = Schema> {
  /** The engine, or a view of it, under this store: raw bytes, all column families, unknown ones included. */
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
   * The key of a kind, as this store's revision lays it out.
   *
   * @throws MerostoreError `UNKNOWN_NAME` for a kind that the schema does not have; `INVALID_KEY` for wrong parts
   */
  key<K extends KindsOf<S>>(kind: K, parts: PartsFor<S, K>): KeyOf<RowsOfKind<S, K>["key"]> {
    const KeyOfKind = this.schema.row(kind).key as unknown as new (parts: PartsFor<S, K>) => AnyKey;
    return new KeyOfKind(parts) as KeyOf<RowsOfKind<S, K>["key"]>;
  }

  /**
   * The keys of a kind, or those of them that share these leading parts, as this store's revision lays them out.
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
   * The value of a key, or undefined if there is no such row. The key can also be given as its kind and its parts, which
   * works in every revision.
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
    const { value } = this.rowOf(key);
    if (!this.raw.columns.includes(key.COLUMN)) return undefined;
    const bytes = await this.raw.get(key.COLUMN, key.bytes);
    return bytes === undefined ? undefined : decodeValue(value, key, bytes);
  }

  /**
   * The values of several keys, in their order, in one round for each column family.
   * @throws DecodeError if one of them does not decode
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
        values[index] = decodeValue((rows[index] as AnyRow).value, keys[index] as K, found) as ValueFor<S, K>;
      }
    }
    return values;
  }

  /** Whether there is a row of this key. */
  async has<K extends KeysOf<S>>(key: K): Promise<boolean> {
    this.rowOf(key);
    return this.raw.columns.includes(key.COLUMN) && (await this.raw.get(key.COLUMN, key.bytes)) !== undefined;
  }

  /**
   * The rows of a key class, of a range of one or of a kind, in key order. A value that does not decode becomes an entry
   * with an `error`; it does not end the scan.
   *
   * @example
   * store.scan(GroupOpLog.range({ groupId }), { reverse: true, limit: 10 }) // the last ten operations
   * store.scan("GroupMember") // the members of all groups, in whatever revision
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

  /** The first row of a range; undefined if it is empty. */
  async first<C extends ClassesOf<S>>(
    of: Scannable<C>,
  ): Promise<Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>> | undefined> {
    for await (const entry of this.scan(of, { limit: 1 })) return entry;
    return undefined;
  }

  /** The last row of a range, without reading the others; undefined if it is empty. */
  async last<C extends ClassesOf<S>>(
    of: Scannable<C>,
  ): Promise<Entry<KeyOf<C>, ValueFor<S, KeyOf<C>>> | undefined> {
    for await (const entry of this.scan(of, { limit: 1, reverse: true })) return entry;
    return undefined;
  }

  /** The number of rows in a range. Reads their keys. */
  async count<C extends ClassesOf<S>>(of: Scannable<C>): Promise<number> {
    const range = toRange(of);
    this.schema.rowOf(range.key);
    let count = 0;
    for await (const chunk of rowsOfKind(this.raw, range, { keysOnly: true })) count += chunk.length;
    return count;
  }

  /** What `console.log` shows in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _depth: number,
    options: object,
    inspect: (value: object, options: object) => string,
  ): string {
    return `${this.constructor.name} ${inspect(this.summary(), options)}`;
  }

  /** What of it a person wants to see in a few lines. */
  protected summary(): object {
    return { revision: this.schema.name, columns: this.columns.length };
  }

  /** Throws once rows should not be given any more. */
  protected checkOpen(): void {}

  /** The schema's row of a key. @throws MerostoreError `INVALID_KEY` for anything that is no key of this schema */
  protected rowOf(key: AnyKey): AnyRow {
    const keyClass = (key as { readonly constructor?: unknown } | undefined)?.constructor;
    if (keyClass === undefined || !isBytes(key.bytes)) {
      throw new MerostoreError("INVALID_KEY", "expected a key, for example new ContextMeta({ contextId })");
    }
    return this.schema.rowOf(keyClass as AnyKeyClass);
  }
}

/** The range that a key class or a range stands for. */
export function toRange<C extends AnyKeyClass>(of: Scannable<C>): KeyRange<C> {
  if (of === undefined || of === null || !("key" in of || "range" in of)) {
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "expected a key class or a range of one, for example GroupMember",
    );
  }
  if (!("key" in of)) return of.range({}) as KeyRange<C>;
  const { key, column, from, to } = of; // a copy: it is used later, when the caller may have changed it
  return { key, column, from: from && copyBytes(from), to: to && copyBytes(to) };
}

async function* mapChunks<T>(
  chunks: AsyncGenerator<readonly RawRow[], void, undefined>,
  decode: (row: RawRow) => T,
): AsyncGenerator<readonly T[], void, undefined> {
  for await (const chunk of chunks) yield chunk.map(decode);
}
