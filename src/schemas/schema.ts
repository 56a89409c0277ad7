/**
 * A row is a key class and a value codec. A schema is a named list of rows; everything else is derived from it.
 */
import type { Codec } from "../codec/index.js";
import { MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass, KeyOf } from "../keys/index.js";

/** One kind of row. */
export interface Row<C extends AnyKeyClass, T> {
  /** Its column family. */
  readonly column: string;
  /** The Rust name of its key type: `GroupMember`. */
  readonly kind: string;
  /** The class of its keys. */
  readonly key: C;
  /** The codec of its values. */
  readonly value: Codec<T>;
  /** Whether the value of this key is or holds a secret. */
  secret(key: AnyKey): boolean;
  /** What the JSON form shows the value as, where it is more than `value` says. */
  shown(key: AnyKey, bytes: Uint8Array): Codec<unknown>;
  /** What a value may also be given as in JSON, beside its own form. */
  readonly alternative: Codec<unknown> | undefined;
}

/** What of a kind of row its key class and codec do not say. */
export interface RowOptions<C extends AnyKeyClass> {
  /** Which keys have secret values, where the codec does not say it by itself. */
  readonly secret?: (key: KeyOf<C>) => boolean;
  /** A type that some values of an identity codec hold, and which these are. */
  readonly holds?: {
    readonly codec: Codec<unknown>;
    readonly where: (key: KeyOf<C>, bytes: Uint8Array) => boolean;
  };
}

/** Any kind of row. */
export type AnyRow = Row<AnyKeyClass, unknown>;

/** The value that belongs to a key of type `K`; `never` where no row of `R` has such keys. */
export type ValueFor<R extends AnyRow, K> =
  R extends Row<infer C, infer T> ? (K extends KeyOf<C> ? T : never) : never;

/** The keys of the rows `R`. */
export type KeysOf<R extends AnyRow> = R extends AnyRow ? KeyOf<R["key"]> : never;

/**
 * Declares a kind of row.
 *
 * @example
 * row(GroupMember, GroupMemberValue)
 */
export function row<C extends AnyKeyClass, T>(
  key: C,
  value: Codec<T>,
  options: RowOptions<C> = {},
): Row<C, T> {
  const { secret, holds } = options;
  return {
    column: key.COLUMN,
    kind: key.KIND,
    key,
    value,
    secret: (of) => secret?.(of as KeyOf<C>) ?? value.secret,
    shown: (of, bytes) => (holds?.where(of as KeyOf<C>, bytes) ? holds.codec : value),
    alternative: holds?.codec,
  };
}

/** A revision: all kinds of rows that it has, found by key, by kind and by class, and all named types. */
export class Schema<R extends AnyRow = AnyRow> {
  /** `documented`, `core-0.10`. */
  readonly name: string;
  /** All kinds of rows, in the order of the column families and of the prefixes in Group. */
  readonly rows: readonly R[];
  /** The column families, in order. */
  readonly columns: readonly string[];
  /**
   * Every named type by its Rust name. The value of a row without a type of its own has the name of the row's kind:
   * `types.GroupAlias` is `str`.
   */
  readonly types: Readonly<Record<string, Codec<unknown>>>;

  readonly #byColumn = new Map<string, R[]>();
  readonly #byKind = new Map<string, R>();
  readonly #byClass = new Map<unknown, R>();

  constructor(name: string, rows: readonly R[], others: readonly Codec<unknown>[]) {
    this.name = name;
    this.rows = rows;
    for (const row of rows) {
      const rowsOfColumn = this.#byColumn.get(row.column);
      if (rowsOfColumn === undefined) this.#byColumn.set(row.column, [row]);
      else rowsOfColumn.push(row);
      this.#byKind.set(row.kind, row);
      this.#byClass.set(row.key, row);
    }
    this.columns = [...this.#byColumn.keys()];
    this.types = collectTypes(rows, others);
  }

  /** The kind of row that a key belongs to; undefined if none has such keys. */
  identify(column: string, key: Uint8Array): R | undefined {
    const rows = this.#byColumn.get(column);
    if (rows === undefined) return undefined;
    for (const row of rows) if (row.key.matches(key)) return row;
    return undefined;
  }

  /** The row of a kind. @throws MerostoreError `UNKNOWN_NAME` */
  row(kind: string): R {
    const row = this.#byKind.get(kind);
    if (row !== undefined) return row;
    throw unknownName("kind of row", kind, [...this.#byKind.keys()], this.name);
  }

  /** The row of a key class. @throws MerostoreError `INVALID_KEY` if the class belongs to another revision. */
  rowOf(key: AnyKeyClass): R {
    const row = this.#byClass.get(key);
    if (row !== undefined) return row;
    const other = this.#byKind.get(key.KIND);
    throw new MerostoreError(
      "INVALID_KEY",
      other === undefined
        ? `${this.name} has no rows of kind ${key.KIND}`
        : `${key.KIND} is another key class in ${this.name}: the one with the parts ${other.key.PARTS.map(({ name }) => name).join(", ")}${other.key.PREFIX === undefined ? "" : ` after 0x${other.key.PREFIX.toString(16)}`}`,
    );
  }

  /** The named type. @throws MerostoreError `UNKNOWN_NAME` */
  type(name: string): Codec<unknown> {
    const codec = Object.hasOwn(this.types, name) ? this.types[name] : undefined;
    if (codec !== undefined) return codec;
    throw unknownName("type", name, Object.keys(this.types), this.name);
  }
}

/** The rows of a schema. */
export type RowsOf<S> = S extends Schema<infer R> ? R : never;

/**
 * Declares a schema: a name and the list of its rows. `others` are types that no row leads to, because they lie inside
 * an application's own data.
 */
export function schema<const R extends readonly AnyRow[]>(
  name: string,
  rows: R,
  others: readonly Codec<unknown>[] = [],
): Schema<R[number]> {
  return new Schema(name, rows, others);
}

function collectTypes(
  rows: readonly AnyRow[],
  others: readonly Codec<unknown>[],
): Readonly<Record<string, Codec<unknown>>> {
  const types: Record<string, Codec<unknown>> = {};
  const visit = (codec: Codec<unknown>): void => {
    if (codec.type !== undefined) types[codec.type] = codec;
    for (const inner of codec.inner) visit(inner);
  };
  for (const { kind, value, alternative } of rows) {
    visit(value);
    if (alternative !== undefined) visit(alternative);
    if (value.type === undefined) types[kind] ??= value;
  }
  for (const codec of others) visit(codec);
  return types;
}

function unknownName(
  what: string,
  name: string,
  known: readonly string[],
  schemaName: string,
): MerostoreError {
  const wanted = name.toLowerCase();
  const near = known.filter(
    (one) => one.toLowerCase().includes(wanted) || wanted.includes(one.toLowerCase()),
  );
  const list = near.length > 0 ? near : known;
  return new MerostoreError(
    "UNKNOWN_NAME",
    `${schemaName} has no ${what} "${name}"; it has ${list.join(", ")}`,
  );
}
