/**
 * A row is a key class and a value codec. A schema is a named list of rows; everything else is derived from it.
 */
import { didYouMean } from "../bytes/nearest.js";
import { Codec, describe, ReadFailure } from "../codec/index.js";
import { invalidArgument, MerostoreError, UnknownWord } from "../errors.js";
import type { AnyKey, AnyKeyClass, KeyOf } from "../keys/index.js";
import type { OperationLayouts } from "../payloads/index.js";

/** The substitute for the first byte of the empty key. */
const NO_BYTE = 256;

/** One kind of row. */
export interface Row<C extends AnyKeyClass, T> {
  /** Its column family. */
  readonly column: string;
  /** The Rust name of its key type: `GroupMember`. */
  readonly kind: C["KIND"];
  /** The class of its keys. */
  readonly key: C;
  /** The codec of its values, if it does not depend on the key. */
  readonly value: Codec<T>;
  /** The codec of the value of a key. */
  valueAt(key: AnyKey): Codec<T>;
  /** Whether the value of a key is or contains a secret. */
  secret(key: AnyKey): boolean;
  /** The codec of the JSON form of a value, if more specific than `value`. */
  shown(key: AnyKey, bytes: Uint8Array): Codec<unknown>;
  /** True if the entities of private collections are never in such rows: they are in PrivateState only. */
  readonly privateApart: boolean;
  /** The operations in such rows; undefined without operations. */
  readonly operations: OperationLayouts | undefined;
  /** A type that some values contain: its JSON form is accepted for values. */
  readonly alternative: Codec<unknown> | undefined;
  /** `alternative` and the other types that some values contain. */
  readonly alternatives: readonly Codec<unknown>[];
  /** The codec of `alternative` for a key; undefined if values of the key do not contain it. */
  alternativeAt(key: AnyKey): Codec<unknown> | undefined;
  /** The codec of the type that the value of a key always contains; undefined if the key does not show it. */
  heldAt(key: AnyKey): Codec<unknown> | undefined;
  /**
   * The node's requirement for a key beyond its layout, as the end of a sentence that begins with "expected"; undefined
   * for a key that the node reads.
   */
  refused(key: AnyKey): string | undefined;
  /**
   * The requirement of the node for a value beside its codec, as the end of a sentence that begins with "expected";
   * undefined for a value that the node reads.
   */
  refusedValue(key: AnyKey, value: unknown): string | undefined;
}

/** Options of a kind of row. */
export interface RowOptions<C extends AnyKeyClass, T = unknown> {
  /** The codec of the value of a key, if its layout depends on the key. */
  readonly valueAt?: (key: KeyOf<C>) => Codec<T>;
  /** True if the entities of private collections are never in such rows: they are in PrivateState only. */
  readonly privateApart?: true;
  /** The operations in such rows. */
  readonly operations?: OperationLayouts;
  /** Returns whether a key has a secret value, if the codec does not mark it. */
  readonly secret?: (key: KeyOf<C>) => boolean;
  /**
   * The node's requirement for a key beyond its layout; undefined for a key that the node reads. By default the node
   * reads all.
   */
  readonly refused?: (key: KeyOf<C>) => string | undefined;
  /**
   * The requirement of the node for a value beside its codec; undefined for a value that the node reads. All by
   * default.
   */
  readonly refusedValue?: (key: KeyOf<C>, value: T) => string | undefined;
  /** A type that some values of an identity codec contain. */
  readonly holds?: {
    /** The type that such values hold. */
    readonly codec: Codec<unknown>;
    /** Other types that some values hold. */
    readonly others?: readonly Codec<unknown>[];
    /** The codec for a key, if it depends on the key; undefined if values of the key do not contain the type. */
    readonly at?: (key: KeyOf<C>) => Codec<unknown> | undefined;
    /** Returns whether the value of a key with these bytes has the type. By default every value that decodes has it. */
    readonly where?: (key: KeyOf<C>, bytes: Uint8Array) => boolean;
  };
}

/** Any kind of row. */
export type AnyRow = Row<AnyKeyClass, unknown>;

/** The rows of a schema. */
export type RowsOf<S extends Schema> = S extends Schema<infer R> ? R : never;

/** The key classes of a schema. */
export type ClassesOf<S extends Schema> = RowsOf<S>["key"];

/** The keys of a schema. */
export type KeysOf<S extends Schema> = KeysOfRow<RowsOf<S>>;
/** The keys of these kinds of rows. */
export type KeysOfRow<R> = R extends AnyRow ? KeyOf<R["key"]> : never;

/** The value that belongs to a key of type `K`; `never` if the schema has no such keys. */
export type ValueFor<S extends Schema, K> = ValueOfRow<RowsOf<S>, K>;
/** The values that these kinds of rows have at keys of type `K`. */
export type ValueOfRow<R, K> = R extends Row<infer C, infer T> ? (K extends KeyOf<C> ? T : never) : never;

/** The kinds of rows of a schema: `"GroupMember"`. */
export type KindsOf<S extends Schema> = RowsOf<S>["kind"];

/** The common properties of rows of a kind. */
export interface OfKind<K> {
  /** The name of the kind: `GroupMember`. */
  readonly kind: K;
}

/** The rows of a kind: several if the revision of the store is not known statically, any row for an unknown schema. */
export type RowsOfKind<S extends Schema, K> =
  string extends KindsOf<S> ? AnyRow : Extract<RowsOf<S>, OfKind<K>>;

/** The common properties of rows with keys of a class. */
export interface OfClass<C> {
  /** The class of their keys. */
  readonly key: C;
}

/** The row with keys of a class. Its value is unknown for an unknown schema. */
export type RowOfClass<S extends Schema, C extends AnyKeyClass> =
  string extends KindsOf<S> ? Row<C, unknown> : Extract<RowsOf<S>, OfClass<C>>;

/** The values of a row. */
export type ValueOf<R> = R extends Row<AnyKeyClass, infer T> ? T : never;

/** The value of a row of a kind. */
export type ValueOfKind<S extends Schema, K> = ValueOf<RowsOfKind<S, K>>;

/** The parts of the keys of a kind, by name. */
export type PartsFor<S extends Schema, K> = PartsOf<RowsOfKind<S, K>["key"]>;
/** The parts of the keys of a class, by name. */
export type PartsOf<C> = C extends new (parts: infer P) => unknown ? P : Readonly<Record<string, unknown>>;

/** The leading parts of the keys of a kind, by name. */
export type LeadingFor<S extends Schema, K> = LeadingOf<RowsOfKind<S, K>["key"]>;
/** The leading parts that `range` of a class takes. */
export type LeadingOf<C> = C extends AnyKeyClass ? Parameters<C["range"]>[0] : never;

/**
 * Declares a kind of row.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a key that is not a key class, and a value without a codec's methods
 * @example
 * row(GroupMember, GroupMemberValue)
 */
export function row<C extends AnyKeyClass, T>(
  key: C,
  value: Codec<T>,
  options: RowOptions<C, T> = {},
): Row<C, T> {
  if (typeof (key as Partial<AnyKeyClass> | undefined)?.KIND !== "string")
    throw invalidArgument(`a row: a class of its keys is expected, not ${describe(key)}`);
  if (!((value as unknown) instanceof Codec))
    throw invalidArgument(`the row ${key.KIND}: a codec of its values is expected, not ${describe(value)}`);
  const { secret, refused, refusedValue, holds } = options;
  const heldAt = (of: AnyKey): Codec<unknown> | undefined => holds?.at?.(of as KeyOf<C>);
  const alternativeAt = (of: AnyKey): Codec<unknown> | undefined =>
    holds?.at === undefined ? holds?.codec : heldAt(of);
  const valueAt = (of: AnyKey): Codec<T> => options.valueAt?.(of as KeyOf<C>) ?? value;
  return {
    column: key.COLUMN,
    kind: key.KIND,
    key,
    value,
    secret: (of) => secret?.(of as KeyOf<C>) ?? value.secret,
    valueAt,
    shown: (of, bytes) => {
      const held = alternativeAt(of);
      if (held === undefined) return valueAt(of);
      const isHeld = holds?.where?.(of as KeyOf<C>, bytes) ?? !(held.readWhole(bytes) instanceof ReadFailure);
      return isHeld ? held : valueAt(of);
    },
    privateApart: options.privateApart === true,
    operations: options.operations,
    alternative: holds?.codec,
    alternatives: holds === undefined ? [] : [holds.codec, ...(holds.others ?? [])],
    alternativeAt,
    heldAt,
    refused: (of) => refused?.(of as KeyOf<C>),
    refusedValue: (of, given) => refusedValue?.(of as KeyOf<C>, given as T),
  };
}

/** A revision: its kinds of rows, found by key, by kind and by class, and its named types. */
export class Schema<R extends AnyRow = AnyRow> {
  /** `documented`, `core-0.10`. */
  readonly name: string;
  /** All kinds of rows, in the order of the column families and of the prefixes in Group. */
  readonly rows: readonly R[];
  /** The column families, in order. */
  readonly columns: readonly string[];
  /**
   * Every named type by its Rust name. A value without a named type has the name of the kind of row: `types.GroupAlias`
   * is `str`.
   */
  readonly types: Readonly<Record<string, Codec<unknown>>>;

  /** The module that exports its key classes: `merostore/core-0.11`. Undefined without such a module. */
  readonly module: string | undefined;
  /** The last version of a node that writes these rows: `1.0.0-rc.8`. Undefined if no node does. */
  readonly release: string | undefined;

  /** The kinds of rows of each column family by the first byte of the key. */
  readonly #byFirstByte = new Map<string, readonly (readonly R[])[]>();
  readonly #byKind = new Map<string, R>();
  readonly #byClass = new Map<unknown, R>();

  constructor(name: string, rows: readonly R[], { others = [], module, release }: SchemaOptions = {}) {
    checkRows(name, rows);
    this.name = name;
    this.rows = rows;
    this.module = module;
    this.release = release;
    for (const row of rows) {
      if (this.#byKind.has(row.kind)) throw invalidArgument(`${name}: two rows have the kind ${row.kind}`);
      this.#byKind.set(row.kind, row);
      this.#byClass.set(row.key, row);
    }
    this.columns = [...new Set(rows.map(({ column }) => column))];
    for (const column of this.columns) {
      const all = rows.filter((row) => row.column === column);
      checkDistinct(name, all);
      const possible = (first?: number): R[] =>
        all.filter(({ key: { PREFIX } }) => PREFIX === undefined || PREFIX === first);
      const byFirst = new Array<R[]>(NO_BYTE + 1).fill(possible());
      for (const { key } of all) if (key.PREFIX !== undefined) byFirst[key.PREFIX] = possible(key.PREFIX);
      this.#byFirstByte.set(column, byFirst);
    }
    this.types = collectTypes(rows, others);
  }

  /** Returns the kind of row of a key; undefined if the schema has none. */
  identify(column: string, key: Uint8Array): R | undefined {
    const rows = this.#byFirstByte.get(column)?.[key[0] ?? NO_BYTE];
    if (rows === undefined) return undefined;
    for (const row of rows) if (row.key.matches(key)) return row;
    return undefined;
  }

  /** Returns the row of a kind; upper and lower case are the same. @throws MerostoreError `UNKNOWN_NAME` */
  row(kind: string): R {
    const row = this.#byKind.get(kind) ?? this.#inAnyCase(kind);
    if (row !== undefined) return row;
    throw unknownName("kind of row", kind, [...this.#byKind.keys()], this.name);
  }

  #inAnyCase(kind: string): R | undefined {
    const name = kind.toLowerCase();
    return this.rows.find((row) => row.kind.toLowerCase() === name);
  }

  /** Returns whether the schema has rows of a key class. */
  has(key: AnyKeyClass): boolean {
    return this.#byClass.has(key);
  }

  /** Returns the row of a key class. @throws MerostoreError `INVALID_KEY` if the class belongs to another revision. */
  rowOf(key: AnyKeyClass): R {
    const row = this.#byClass.get(key);
    if (row !== undefined) return row;
    throw new MerostoreError("INVALID_KEY", this.#whyNot(key));
  }

  #whyNot(key: AnyKeyClass): string {
    const own = this.#byKind.get(key.KIND);
    if (own === undefined) return `${this.name} has no rows of kind ${key.KIND}`;
    const given = declaredBy(key)
      .map(({ name }) => name)
      .toSorted();
    const [module] =
      this.module === undefined ? declaredBy(own.key).map(({ module }) => module) : [this.module];
    const of = given.length === 0 ? "another schema" : given.join(" and ");
    const hint = module === undefined ? "" : `; import it from "${module}"`;
    return `${key.KIND} of ${of} was given to a ${this.name} store${hint}`;
  }

  /** The output of `console.log` in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Schema(${this.name}: ${this.rows.length} kinds of rows in ${this.columns.length} column families)`;
  }

  /** Returns a named type. @throws MerostoreError `UNKNOWN_NAME` */
  type(name: string): Codec<unknown> {
    const codec = Object.hasOwn(this.types, name) ? this.types[name] : undefined;
    if (codec !== undefined) return codec;
    throw unknownName("type", name, Object.keys(this.types), this.name);
  }
}

/** Options of a schema. */
export interface SchemaOptions {
  /** Types that no row refers to, because they occur inside an application's own data. */
  readonly others?: readonly Codec<unknown>[];
  /** The module that exports its key classes and value types under their plain names. */
  readonly module?: string;
  /** The last version of a node that writes these rows. */
  readonly release?: string;
}

/** The schemas that were declared with each key class, for messages. */
const declarations = new Map<AnyKeyClass, Schema[]>();

function declaredBy(key: AnyKeyClass): readonly Schema[] {
  return declarations.get(key) ?? [];
}

/**
 * Declares a schema: a name and the list of its rows.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for arguments that are not rows, for two rows of one kind, and for rows of
 *   a column family whose keys have the same prefix and size
 */
export function defineSchema<R extends AnyRow>(
  name: string,
  rows: readonly R[],
  options?: SchemaOptions,
): Schema<R> {
  const declared = new Schema(name, rows, options);
  for (const { key } of rows) declarations.set(key, [...declaredBy(key), declared]);
  return declared;
}

/** Throws INVALID_ARGUMENT unless a name and a list of rows are given. */
function checkRows(name: unknown, rows: unknown): void {
  if (typeof name !== "string")
    throw invalidArgument(`the name of a schema is a text, not ${describe(name)}`);
  const refuse = (expected: string, given: unknown) =>
    invalidArgument(`the schema ${name}: ${expected} is expected, not ${describe(given)}`);
  if (!Array.isArray(rows)) throw refuse("a list of rows", rows);
  for (const one of rows as readonly (Partial<AnyRow> | undefined)[])
    if (typeof one?.valueAt !== "function") throw refuse("what row() returns", one);
}

/** Throws INVALID_ARGUMENT for two kinds of rows of a column family if bytes may be a key of both. */
function checkDistinct(schemaName: string, rows: readonly AnyRow[]): void {
  for (const [at, { key, column }] of rows.entries())
    for (const { key: other } of rows.slice(0, at)) {
      const sameStart = key.PREFIX === undefined || other.PREFIX === undefined || key.PREFIX === other.PREFIX;
      const [short, long] = key.SIZE < other.SIZE ? [key, other] : [other, key];
      if (!sameStart || !(short.VARIABLE || short.SIZE === long.SIZE)) continue;
      throw invalidArgument(
        `${schemaName}: bytes in ${column} may be a key of ${other.KIND} and of ${key.KIND}: neither prefix nor size tells them apart`,
      );
    }
}

function collectTypes(
  rows: readonly AnyRow[],
  others: readonly Codec<unknown>[],
): Readonly<Record<string, Codec<unknown>>> {
  const types: Record<string, Codec<unknown>> = {};
  const visited = new Set<Codec<unknown>>();
  const visit = (codec: Codec<unknown>): void => {
    if (visited.has(codec)) return;
    visited.add(codec);
    // An older layout of a type has the same name, and comes after it.
    if (codec.type !== undefined) types[codec.type] ??= codec;
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
  const more = didYouMean(name, known, '; "merostore schema" lists all');
  return new UnknownWord(`${schemaName} has no ${what} "${name}"${more}`);
}
