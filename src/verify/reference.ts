/** References: a field of a row names another row, which must exist. */
import type { Severity } from "../findings/index.js";
import type { AnyKey, AnyKeyClass, KeyOf } from "../keys/index.js";
import type { ClassesOf, KeysOf, Schema, ValueFor } from "../schemas/index.js";
import type { GoodRow } from "./examine.js";
import type { RowFinding } from "./finding.js";

/** The values that a finding shows, and the pair that it is about. */
export type Shows = Pick<RowFinding, "found" | "expected" | "about">;

/** The finding for a missing row. */
export interface MissingRow {
  /** The finding as a sentence without its full stop. */
  readonly message: string;
  /** The severity of the rule unless given. */
  readonly severity?: Severity;
}

/** Rows of kind `from` name rows of kind `to`, which must exist. */
export interface Reference<Row = GoodRow<AnyKey, unknown>, To extends AnyKey = AnyKey> {
  /** The revisions whose rows have this reference. */
  readonly revisions: readonly Schema[];
  /** The kind of row that names another one. */
  readonly from: AnyKeyClass;
  /** The kind of row that is named. */
  readonly to: AnyKeyClass;
  /** Returns the keys of the rows that a row names; none where the field is absent. */
  readonly keys: (row: Row) => readonly To[];
  /** Returns the key of another row; the reference holds only where that row exists. Holds always unless given. */
  readonly given?: ((row: Row) => AnyKey) | undefined;
  /** Returns the keys of rows one of which may exist instead of the named one. */
  readonly instead?: ((row: Row) => readonly AnyKey[]) | undefined;
  /** Returns the finding for a missing row. */
  readonly missing: (row: Row, to: To) => MissingRow;
  /** Returns what a finding shows. By default it expects the key of the missing row. */
  readonly shows?: ((row: Row, to: To) => Shows) | undefined;
  /**
   * Reports consecutive rows with the same id as one finding, which shows the id or the number of rows.
   */
  readonly grouping?: Grouping<Row> | undefined;
}

/** The way in which consecutive rows with the same id become one finding. */
export interface Grouping<Row> {
  /** Returns the id that the rows have in common. */
  readonly id: (row: Row) => Uint8Array;
  /** The value that the finding shows as found. */
  readonly show: "id" | "number of rows";
}

/** A row of a kind as the revisions have it. */
export type RowFor<S extends Schema, C extends AnyKeyClass> = GoodRow<KeyOf<C>, ValueFor<S, KeyOf<C>>>;

type PartsOf<T> = T extends new (parts: infer P) => AnyKey ? P : never;

/** A reference as it is declared. It has `key`, or `keys` for a field that names several rows. */
export interface DeclaredReference<
  S extends Schema,
  C extends AnyKeyClass,
  T extends AnyKeyClass,
  Row = RowFor<S, C>,
> extends Partial<MissingRow> {
  readonly revisions: readonly S[];
  readonly from: C;
  readonly to: T;
  /** Returns the parts of the key of the row that a row names. */
  readonly key?: (row: Row) => PartsOf<T>;
  /** Returns the parts of the keys of all rows that a row names. */
  readonly keys?: (row: Row) => readonly PartsOf<T>[];
  readonly given?: (row: Row) => KeysOf<S>;
  readonly instead?: (row: Row) => readonly KeysOf<S>[];
  /** Decides message and severity by the row, instead of `message` and `severity`. */
  readonly missing?: (row: Row, to: KeyOf<T>) => MissingRow;
  readonly shows?: (row: Row, to: KeyOf<T>) => Shows;
  readonly grouping?: Grouping<Row>;
}

/** The revisions that have rows of all these kinds. */
export function havingKinds<S extends Schema>(
  revisions: readonly S[],
  ...kinds: readonly AnyKeyClass[]
): readonly S[] {
  return revisions.filter((revision) => kinds.every((kind) => revision.has(kind)));
}

/**
 * Declares a reference, for those of the revisions that have both kinds. The revisions and the kinds decide the types
 * of rows and parts.
 */
export function refer<S extends Schema, C extends ClassesOf<S>, T extends ClassesOf<S>>(
  declared: DeclaredReference<S, C, T>,
): Reference {
  const { revisions, from, to, key, given, instead, message = "", severity, shows, grouping } = declared;
  const keyOf = (parts: PartsOf<T>): AnyKey =>
    new (to as unknown as new (parts: PartsOf<T>) => AnyKey)(parts);
  const keys = declared.keys ?? ((row) => (key === undefined ? [] : [key(row)]));
  const always = severity === undefined ? { message } : { message, severity };
  const reference: Reference<RowFor<S, C>, KeyOf<T>> = {
    revisions: havingKinds(revisions, from, to),
    from,
    to,
    keys: (row) => keys(row).map(keyOf),
    given,
    instead,
    missing: declared.missing ?? (() => always),
    shows,
    grouping,
  };
  return reference as unknown as Reference;
}
