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
export interface KeyBounds {
  /** Keys after this one. */
  readonly gt?: EntryKey | undefined;
  /** Keys from this one on. */
  readonly gte?: EntryKey | undefined;
  /** Keys before this one. */
  readonly lt?: EntryKey | undefined;
  /** Keys up to this one. */
  readonly lte?: EntryKey | undefined;
}

/** The entries that are meant, a part at a time. */
export interface EntryBounds extends KeyBounds {
  /** Keys that follow this one in the direction of the reading: for parts, the last key of the part before. */
  readonly after?: EntryKey | undefined;
  /** The most entries or keys to return. */
  readonly limit?: number | undefined;
}

/** The entries that are counted. */
export interface EntryCountOptions extends KeyBounds {
  /** Ends the reading: it rejects with the `reason` of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The entries of an iteration. */
export interface EntryScanOptions extends EntryBounds, EntryCountOptions {
  /** Descending order. Ascending by default. */
  readonly reverse?: boolean | undefined;
}

/** Options of reading a value. */
export interface ValueOptions {
  /**
   * True to fetch pieces that are not on this device; false unless given. Fails with NETWORK_ERROR if that is
   * impossible.
   */
  readonly fetch?: boolean | undefined;
}

const BOUNDS: OptionChecks<KeyBounds> = { gt: isKey, gte: isKey, lt: isKey, lte: isKey };

/** Checks of {@link EntryCountOptions}. */
export const COUNT_OPTIONS: OptionChecks<EntryCountOptions> = { ...BOUNDS, signal: isSignal };

/** Checks of {@link EntryScanOptions}. */
export const SCAN_OPTIONS: OptionChecks<EntryScanOptions> = {
  ...COUNT_OPTIONS,
  after: isKey,
  reverse: isFlag,
  limit: isWholeNumber(0),
};

/** Checks of {@link EntryBounds}. */
export const PART_OPTIONS: OptionChecks<EntryBounds> = { ...BOUNDS, after: isKey, limit: isWholeNumber(1) };

/** Copies options with bounds, which their caller may change. */
export function copiedBounds<Options extends KeyBounds>(options: Options): Options {
  const copies = Object.entries(options as Readonly<Record<string, unknown>>).map(([name, value]) => {
    const isBound = SCAN_OPTIONS[name as keyof EntryScanOptions] === isKey;
    return [name, isBound && value !== undefined ? keyBytes(value as EntryKey) : value] as const;
  });
  return { ...options, ...Object.fromEntries(copies) };
}

/** Checks of {@link ValueOptions}. */
export const VALUE_OPTIONS: OptionChecks<ValueOptions> = { fetch: isFlag };
