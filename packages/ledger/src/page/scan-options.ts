/** Options of reading a page: which entries, and which values. */
import { isFlag, isSignal, isWholeNumber, type OptionChecks } from "merostore/internal";
import { type EntryKey, isKey, keyBytes } from "./key.js";

/** The entries of a snapshot or a watcher. */
export interface PrefixOptions {
  /** Includes only keys that begin with this; all keys unless given. */
  readonly prefix?: EntryKey | undefined;
}

/** Checks of {@link PrefixOptions}. */
export const PREFIX_OPTIONS: OptionChecks<PrefixOptions> = { prefix: isKey };

/** The entries that are meant: those within all of these bounds. Without a bound, all entries. */
export interface EntryBounds {
  /** Keys after this one. */
  readonly gt?: EntryKey | undefined;
  /** Keys from this one on. */
  readonly gte?: EntryKey | undefined;
  /** Keys before this one. */
  readonly lt?: EntryKey | undefined;
  /** Keys up to this one. */
  readonly lte?: EntryKey | undefined;
  /** The last key of the page before: as `gt`. */
  readonly after?: EntryKey | undefined;
  /** The most entries or keys to return. */
  readonly limit?: number | undefined;
}

/** The entries of an iteration. */
export interface EntryScanOptions extends EntryBounds {
  /** Ends the iteration: it rejects with the `reason` of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of reading a value. */
export interface ValueOptions {
  /**
   * True to fetch pieces that are not on this device; false unless given. Fails with NETWORK_ERROR if that is
   * impossible.
   */
  readonly fetch?: boolean | undefined;
}

const BOUNDS: OptionChecks<Omit<EntryBounds, "limit">> = {
  gt: isKey,
  gte: isKey,
  lt: isKey,
  lte: isKey,
  after: isKey,
};

/** Checks of {@link EntryScanOptions}. */
export const SCAN_OPTIONS: OptionChecks<EntryScanOptions> = {
  ...BOUNDS,
  limit: isWholeNumber(0),
  signal: isSignal,
};
/** Checks of {@link EntryBounds}. */
export const PART_OPTIONS: OptionChecks<EntryBounds> = { ...BOUNDS, limit: isWholeNumber(1) };

/** Copies of bounds, which their caller may change. */
export function copiedBounds(options: EntryScanOptions = {}): EntryScanOptions {
  const { limit, signal, ...keys } = options;
  const copies = Object.entries(keys as Readonly<Record<string, EntryKey | undefined>>).flatMap(
    ([name, key]) => (key === undefined ? [] : [[name, keyBytes(key)] as const]),
  );
  return { ...Object.fromEntries(copies), limit, signal };
}

/** Checks of {@link ValueOptions}. */
export const VALUE_OPTIONS: OptionChecks<ValueOptions> = { fetch: isFlag };
