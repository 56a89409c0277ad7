import { compareBytes, FIRST_KEY } from "../bytes/order.js";
import type { ByteRange, ChangeBatch, WriteOperation } from "../engine/engine.js";
import type { AnyKey, KeyOf } from "../keys/index.js";
import {
  type AnyRow,
  type KindsOf,
  knownRowToJson,
  type Row,
  type RowJson,
  type RowsOfKind,
  type Schema,
} from "../schemas/index.js";
import { type Entry, entriesOf } from "./entry.js";
import type { RowBefore } from "./known-rows.js";

/** A change that a writer made to a store. */
export type Change<S extends Schema = Schema> = ChangeOfKind<S, KindsOf<S>> | UnknownRowChange;

/** A change that a writer made to rows of some kinds. */
export type ChangeOfKind<S extends Schema, K> = ChangeOfRow<RowsOfKind<S, K>> | RangeDeletion | Rescan;
/** A change of a row of one kind, or of one of several kinds. */
export type ChangeOfRow<R> =
  R extends Row<infer C, infer T> ? RowPut<C["KIND"], KeyOf<C>, T> | RowDeletion<C["KIND"], KeyOf<C>> : never;

/** The members of every change of a row. */
export interface RowChangeDetails {
  /** The sequence number of the last operation of its batch. Changes with the same number were made together. */
  readonly sequence: number;
  /** Name of the column family. */
  readonly column: string;
  /**
   * True if the row existed before. Undefined without the option `existed` of `watch`, and if so much is written that
   * `watch` would fall behind.
   */
  readonly existed: boolean | undefined;
  /**
   * The bytes of the previous value. Undefined if there was no row, if `existed` is undefined, and if the row was
   * written shortly before.
   */
  readonly before: Uint8Array | undefined;
}

/** A row was written, new or over an existing one. As in a scan, it has a `value`, or an `error` and its `bytes`. */
export type RowPut<Kind extends string, K extends AnyKey, V> = RowChangeDetails & Entry<K, V> & PutKind<Kind>;

/** The kind of a row that was written. */
export interface PutKind<Kind extends string> {
  /** Distinguishes the change from others. */
  readonly type: "put";
  /** The name of the kind: `GroupMember`. */
  readonly kind: Kind;
}

/** A row was deleted. */
export interface RowDeletion<Kind extends string, K extends AnyKey> extends RowChangeDetails {
  /** Distinguishes the change from others. */
  readonly type: "delete";
  /** The name of the kind: `GroupMember`. */
  readonly kind: Kind;
  /** The key of the row. */
  readonly key: K;
}

/** A row of a kind that the schema does not have was written or deleted. */
export interface UnknownRowChange extends RowChangeDetails {
  /** `put` for a written row, `delete` for a deleted one. */
  readonly type: "put" | "delete";
  /** Undefined: the schema has no kind with such keys. */
  readonly kind: undefined;
  /** The key as it is stored. */
  readonly key: Uint8Array;
  /** The bytes of the value; undefined for a deletion. */
  readonly value: Uint8Array | undefined;
}

/** All rows of a column family with keys in `[gte, lt)` were deleted. The log does not list these rows. */
export interface RangeDeletion {
  /** Distinguishes the change from others. */
  readonly type: "deleteRange";
  /** The sequence number of the last operation of its batch. */
  readonly sequence: number;
  /** Name of the column family. */
  readonly column: string;
  /** The first key of the range, inclusive. */
  readonly gte: Uint8Array;
  /** The end of the range, exclusive. */
  readonly lt: Uint8Array;
}

/**
 * Changes were lost: the writer deleted its log before it was read, or the database was replaced. The store is
 * refreshed, so read the important rows again. The following changes happened after the state that the store shows now.
 */
export interface Rescan {
  /** Distinguishes the change from others. */
  readonly type: "rescan";
  /** The sequence number of the last write in the present state of the store. */
  readonly sequence: number;
  /**
   * True if the differences between the states before and after follow as changes, because of the option `compare`.
   * Intermediate values are not among them.
   */
  readonly compared: boolean;
  /** True if another database was put in the place of this one; absent otherwise. */
  readonly replaced?: true;
}

/** Turns the operations of a log into typed changes, for all rows or for some kinds. */
export class ChangeReader {
  readonly #schema: Schema;
  /** The ranges of the wanted kinds, by column family; undefined for all kinds. */
  readonly #wanted: ReadonlyMap<AnyRow, { readonly column: string } & ByteRange> | undefined;
  readonly #makers = new Map<AnyRow, PutMaker>();

  /** @throws MerostoreError `UNKNOWN_NAME` for a kind that the schema does not have */
  constructor(schema: Schema, kinds: readonly string[] | undefined) {
    this.#schema = schema;
    this.#wanted =
      kinds &&
      new Map(
        kinds.map((kind) => {
          const row = schema.row(kind);
          return [row, row.key.range({})] as const;
        }),
      );
  }

  /** Returns whether an operation is a wanted change. */
  wants(operation: WriteOperation): boolean {
    if (this.#wanted === undefined) return true;
    const { column } = operation;
    if (operation.type === "deleteRange")
      return [...this.#wanted.values()].some(
        (range) => range.column === column && overlaps(range, operation),
      );
    const row = this.#schema.identify(column, operation.key);
    return row !== undefined && this.#wanted.has(row);
  }

  /** Turns an operation of a batch into a change. */
  read({ sequence }: ChangeBatch, operation: WriteOperation, known: RowBefore | undefined): Change {
    const { column } = operation;
    if (operation.type === "deleteRange") return { ...operation, sequence };
    const { type, key } = operation;
    const { existed, before } = known ?? {};
    const row = this.#schema.identify(column, key);
    if (row === undefined) {
      const value = type === "put" ? operation.value : undefined;
      return { type, sequence, column, kind: undefined, existed, before, key, value };
    }
    const typed = row.key.view(key);
    if (type === "delete") return { type, sequence, column, kind: row.kind, existed, before, key: typed };
    const make = this.#makers.get(row) ?? putsOf(row);
    this.#makers.set(row, make);
    return make({ sequence, existed, before }, typed, operation.value);
  }
}

type PutMaker = (
  details: Omit<RowChangeDetails, "column">,
  key: AnyKey,
  bytes: Uint8Array,
) => RowPut<string, AnyKey, unknown>;

/** Returns a function that creates the puts of a kind of row. */
function putsOf(row: AnyRow): PutMaker {
  const toEntry = entriesOf(row);
  const { column, kind } = row;
  // JSON.stringify shows other fields than console.log.
  const shown = {
    toJSON(this: RowPut<string, AnyKey, unknown>): RowJson {
      const { type, sequence, existed } = this;
      return { type, sequence, existed, ...knownRowToJson(row, this.key, this.bytes) } as RowJson;
    },
  };
  return (details, key, bytes) => {
    const { value, error } = toEntry(key, bytes);
    const put = { type: "put", ...details, column, kind, key, value, error, bytes };
    return Object.assign(Object.create(shown) as typeof shown, put) as RowPut<string, AnyKey, unknown>;
  };
}

/** Returns whether a key may be in both ranges. */
function overlaps(a: ByteRange, b: ByteRange): boolean {
  const endsBefore = (one: ByteRange, other: ByteRange): boolean =>
    one.lt !== undefined && compareBytes(one.lt, other.gte ?? FIRST_KEY) <= 0;
  return !endsBefore(a, b) && !endsBefore(b, a);
}
