import { isBytes } from "../bytes/bytes.js";
import { unknownColumn } from "../engine/arguments.js";
import type { EngineReader } from "../engine/engine.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass } from "../keys/index.js";
import type {
  AnyRow,
  ClassesOf,
  KeysOf,
  KindsOf,
  RowOfClass,
  RowsOfKind,
  Schema,
  ValueFor,
} from "../schemas/index.js";
import { decodeValue } from "./entry.js";
import { TableReader } from "./table.js";
import type { NoTable, RowNamed, TableName } from "./table-of.js";

const ADVICE = "; to add those of a schema of your own, open it with addColumns: true";

/** Reads typed rows. The base class of stores, snapshots and overlays. */
export class StoreReader<S extends Schema = Schema> {
  /** The underlying engine or view: raw bytes of all column families, including unknown ones. */
  readonly raw: EngineReader;
  /** The revision for reading and writing rows. */
  readonly schema: S;

  constructor(raw: EngineReader, schema: S) {
    this.raw = raw;
    this.schema = schema;
  }

  /** All column families of the database: the schema's families in its order, then the others. */
  get columns(): readonly string[] {
    const present = this.raw.columns;
    const known = this.schema.columns.filter((column) => present.includes(column));
    return [...known, ...present.filter((column) => !known.includes(column))];
  }

  /**
   * Returns the rows of one kind: by its key class, or by its name, which works in every revision.
   *
   * @throws MerostoreError `UNKNOWN_NAME` for a kind that the schema does not have; `INVALID_KEY` for a class that it
   *   does not have
   * @example
   * store.table(GroupMember).scan({ prefix: { groupId } }) // the members of one group
   * await store.table("GroupMember").count() // the members of all groups, in any revision
   */
  table<C extends ClassesOf<S>>(key: C): TableReader<RowOfClass<S, C>>;
  table<K extends KindsOf<S>>(kind: K): TableReader<RowsOfKind<S, K>>;
  table<T extends ClassesOf<S> | KindsOf<S>>(of: T): TableReader<RowNamed<S, T>>;
  table<const T extends TableName>(unknown: T extends unknown ? NoTable<S, T> : T): never;
  table(of: TableName): unknown {
    return new TableReader(this as unknown as StoreReader, this.rowNamed(of), () => this.checkOpen());
  }

  /**
   * Returns the value of a key, or undefined if there is no such row.
   *
   * @throws DecodeError if the value does not decode
   * @example
   * await store.get(new ContextMeta({ contextId }));
   */
  async get<K extends KeysOf<S>>(key: K): Promise<ValueFor<S, K> | undefined> {
    const row = this.rowOf(key);
    if (!this.raw.columns.includes(key.COLUMN)) return undefined;
    const bytes = await this.raw.get(key.COLUMN, key.bytes);
    return bytes === undefined ? undefined : (decodeValue(row.valueAt(key), key, bytes) as ValueFor<S, K>);
  }

  /**
   * Returns the values of several keys, of one kind or of several, in their order, with one read for each column
   * family.
   *
   * @throws DecodeError if one of them does not decode
   */
  async getMany<const K extends readonly KeysOf<S>[]>(keys: K): Promise<ValuesFor<S, K>> {
    const rows = keys.map((key) => this.rowOf(key));
    const values: unknown[] = new Array(keys.length).fill(undefined);
    for (const column of new Set(rows.map((row) => row.column))) {
      if (!this.raw.columns.includes(column)) continue;
      const indexes = [...keys.keys()].filter((index) => rows[index]?.column === column);
      const bytes = await this.raw.getMany(
        column,
        indexes.map((index) => (keys[index] as AnyKey).bytes),
      );
      for (const [at, index] of indexes.entries()) {
        const found = bytes[at];
        if (found === undefined) continue;
        const key = keys[index] as AnyKey;
        values[index] = decodeValue((rows[index] as AnyRow).valueAt(key), key, found);
      }
    }
    return values as ValuesFor<S, K>;
  }

  /** Returns whether there is a row with this key. */
  async has<K extends KeysOf<S>>(key: K): Promise<boolean> {
    this.rowOf(key);
    return this.raw.columns.includes(key.COLUMN) && (await this.raw.get(key.COLUMN, key.bytes)) !== undefined;
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

  /** @throws MerostoreError `UNKNOWN_COLUMN_FAMILY` for a family of the schema that the database lacks */
  protected checkColumn(column: string): void {
    const { columns } = this.raw;
    if (!columns.includes(column)) throw unknownColumn(column, columns, ADVICE);
  }

  /** @throws MerostoreError `CLOSED` */
  protected checkOpen(): void {
    if (this.raw.isClosed) throw new MerostoreError("CLOSED", "the database or snapshot is closed");
  }

  /** Returns the row of a kind or a key class. */
  protected rowNamed(of: TableName): AnyRow {
    if (typeof of !== "string" && typeof of?.KIND !== "string")
      throw invalidArgument('expected a key class or the name of a kind, for example "GroupMember"');
    return typeof of === "string" ? this.schema.row(of) : this.schema.rowOf(of);
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

/** The values that belong to a list of keys. */
export type ValuesFor<S extends Schema, K extends readonly AnyKey[]> = {
  -readonly [I in keyof K]: ValueFor<S, K[I]> | undefined;
};
