/** The bounds of a scan, in keys and leading parts, as a range of bytes. */
import { copyBytes } from "../bytes/bytes.js";
import { compareBytes, equalBytes, FIRST_KEY, keyAfter, successor } from "../bytes/order.js";
import { invalidArgument, MerostoreError } from "../errors.js";
import type { AnyKey, AnyKeyClass, KeyOf, KeyRange } from "../keys/index.js";
import { isFlag, isObject, isWholeNumber, type OptionCheck, type OptionChecks } from "../options.js";
import { type ProgressOptions, progressOptions } from "../progress.js";
import type { LeadingOf, PartsOf } from "../schemas/index.js";

/** A key of a kind of row, or the parts of a key by name. */
export type KeyOrParts<C extends AnyKeyClass> = KeyOf<C> | PartsOf<C>;

/** A bound of a range: a key, or leading parts, which mean all keys that begin with them. */
export type Bound<C extends AnyKeyClass> = KeyOf<C> | LeadingOf<C>;

/** Selects the rows of a kind within all of these bounds. Without a bound, it selects all rows of the kind. */
export interface RowBounds<C extends AnyKeyClass> {
  /**
   * Rows whose keys begin with these leading parts. If the last part has no fixed length, its value is the beginning of
   * that part.
   */
  readonly prefix?: LeadingOf<C> | undefined;
  /** Rows after this key, or after all keys with these leading parts. */
  readonly gt?: Bound<C> | undefined;
  /** Rows from this key on, or from the first one with these leading parts. */
  readonly gte?: Bound<C> | undefined;
  /** Rows before this key, or before the first one with these leading parts. */
  readonly lt?: Bound<C> | undefined;
  /** Rows up to this key, or up to the last one with these leading parts. */
  readonly lte?: Bound<C> | undefined;
}

/** The bounds of the rows to read, a callback for the progress, and a signal that ends the reading. */
export interface CountOptions<C extends AnyKeyClass> extends RowBounds<C>, ProgressOptions {}

/** Options of a scan of a table. */
export interface TableScanOptions<C extends AnyKeyClass> extends CountOptions<C> {
  /** Rows after this key in the direction of the scan. For pages, the last key of the previous page. */
  readonly after?: KeyOrParts<C> | undefined;
  /** Descending order. Ascending by default. */
  readonly reverse?: boolean | undefined;
  /** The most rows that the scan yields. */
  readonly limit?: number | undefined;
}

const isBound: OptionCheck = (value) => (isObject(value) ? undefined : "a key, or parts of one by name");
export const boundChecks: OptionChecks<RowBounds<AnyKeyClass>> = {
  prefix: isBound,
  gt: isBound,
  gte: isBound,
  lt: isBound,
  lte: isBound,
};

export const countChecks: OptionChecks<CountOptions<AnyKeyClass>> = { ...boundChecks, ...progressOptions };

export const scanChecks: OptionChecks<TableScanOptions<AnyKeyClass>> = {
  ...countChecks,
  after: isBound,
  reverse: isFlag,
  limit: isWholeNumber(0),
};

/** The argument of {@link toRange}: {@link TableScanOptions} for any kind of row. */
type AnyBounds = Pick<TableScanOptions<AnyKeyClass>, "reverse"> & {
  readonly [Name in "after" | keyof RowBounds<AnyKeyClass>]?: object | undefined;
};

/**
 * Returns the bytes between the bounds.
 *
 * @throws MerostoreError `INVALID_KEY` for a key of another kind, or wrong parts
 */
export function toRange<C extends AnyKeyClass>(
  key: C,
  { prefix, gt, gte, lt, lte, after, reverse = false }: AnyBounds,
): KeyRange<C> {
  let { gte: from, lt: to } = key.range({});
  const raise = (bound: Uint8Array | undefined): void => {
    if (bound !== undefined && (from === undefined || compareBytes(bound, from) > 0)) from = bound;
  };
  const lower = (bound: Uint8Array | undefined): void => {
    if (bound !== undefined && (to === undefined || compareBytes(bound, to) < 0)) to = bound;
  };
  if (prefix !== undefined) {
    const start = spanOf(key, prefix).from;
    raise(start);
    lower(start && successor(start));
  }
  if (gte !== undefined) raise(spanOf(key, gte).from);
  if (lte !== undefined) lower(spanOf(key, lte).to);
  for (const bound of [gt, reverse ? undefined : after]) {
    if (bound === undefined) continue;
    const end = spanOf(key, bound).to;
    if (end === undefined)
      lower(FIRST_KEY); // no key is before it
    else raise(end);
  }
  for (const bound of [lt, reverse ? after : undefined])
    if (bound !== undefined) lower(spanOf(key, bound).from ?? FIRST_KEY);
  return { key, column: key.COLUMN, gte: from, lt: to };
}

/** Returns the byte range of one key, or of all keys with these leading parts. */
function spanOf(
  key: AnyKeyClass,
  bound: object,
): { from: Uint8Array | undefined; to: Uint8Array | undefined } {
  if (!isKey(bound)) {
    // Without this part, the bound would include more keys than the caller meant, and the caller may delete all of
    // them.
    for (const [part, value] of Object.entries(bound))
      if (value === undefined)
        throw new MerostoreError("INVALID_KEY", `${key.KIND}.${part}: expected a value, found undefined`);
    const { gte, lt } = key.range(bound as Readonly<Record<string, unknown>>);
    return { from: gte, to: lt };
  }
  if ((bound.constructor as unknown) !== key)
    throw new MerostoreError("INVALID_KEY", `expected a key of ${key.KIND} as a bound, not ${bound}`);
  const bytes = bound.toBytes();
  return { from: bytes, to: keyAfter(bytes) };
}

/** Copies a range, because the caller may change it. @throws MerostoreError `INVALID_ARGUMENT` for anything else */
export function copyRange(range: KeyRange<AnyKeyClass>): Omit<KeyRange<AnyKeyClass>, "key"> {
  if (!isObject(range) || typeof range.column !== "string")
    throw invalidArgument("expected a range of keys, for example GroupMember.range({ groupId })");
  const { column, gte: from, lt: to } = range;
  return { column, gte: from && copyBytes(from), lt: to && copyBytes(to) };
}

/** Returns whether an object is a key, and not the parts of a key. */
export function isKey(given: object): given is AnyKey {
  return typeof (given as { readonly KIND?: unknown }).KIND === "string";
}

/** Returns whether a range has all keys of its kind. */
export function isWhole({ key, gte, lt }: KeyRange<AnyKeyClass>): boolean {
  const whole = key.range({});
  const isSame = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
    a === undefined || b === undefined ? a === b : equalBytes(a, b);
  return isSame(gte, whole.gte) && isSame(lt, whole.lt);
}
