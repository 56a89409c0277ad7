/** Reading the entries or keys of a page: their selection, order and form. */
import {
  compareBytes,
  equalBytes,
  firstNotBefore,
  isFlag,
  isSignal,
  isWholeNumber,
  keyAfter,
  type OptionChecks,
  successor,
} from "merostore/internal";
import { type ObjectIdentifier, pieceType } from "../objects.js";
import type { ChangeSet } from "../storage/journal.js";
import type { TreeEntry } from "../tables/tree-node.js";
import type { EntryChange } from "../tree/apply.js";
import { findEntry, type NodeSource } from "../tree/iterate.js";
import { type EntryKey, isKey, keyBytes } from "./key.js";

/** The entries of a snapshot or a watcher. */
export interface PrefixOptions {
  /** Includes only keys that begin with this; all keys unless given. */
  readonly prefix?: EntryKey | undefined;
}

/** Checks of {@link PrefixOptions}. */
export const PREFIX_OPTIONS: OptionChecks<PrefixOptions> = { prefix: isKey };

/** Selects the entries within all of these bounds. Without a bound, all entries. */
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

/** Selects entries, a part at a time. */
export interface EntryBounds extends KeyBounds {
  /**
   * Keys that follow this one in the direction of the reading. To read part after part, the last key of the previous
   * part.
   */
  readonly after?: EntryKey | undefined;
  /** The most entries or keys to return. */
  readonly limit?: number | undefined;
}

/** Selects the entries to count. */
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

/** Keys from `from` on, before `to`. */
export interface KeyRange {
  readonly from: Uint8Array;
  readonly to: Uint8Array | undefined;
}

/** Returns the keys with a prefix that are within all bounds. */
export function keyRange(
  prefix: Uint8Array,
  { gt, gte, lt, lte, after, reverse = false }: EntryScanOptions = {},
): KeyRange {
  const starts = [prefix, ...given(gte), ...next(gt)];
  const ends = [...given(lt), ...next(lte)];
  const end = successor(prefix);
  if (end !== undefined) ends.push(end);
  if (reverse) ends.push(...given(after));
  else starts.push(...next(after));
  return { from: starts.sort(compareBytes).at(-1) as Uint8Array, to: ends.sort(compareBytes)[0] };
}

/** Returns whether a range has a key. */
export function isInRange({ from, to }: KeyRange, key: Uint8Array): boolean {
  return compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0);
}

function given(key: EntryKey | undefined): Uint8Array[] {
  return key === undefined ? [] : [keyBytes(key)];
}

function next(key: EntryKey | undefined): Uint8Array[] {
  return given(key).map((bytes) => keyAfter(bytes));
}

/** Entries or keys in the order of the keys. Can be iterated once: a second iteration fails with INVALID_ARGUMENT. */
export interface PageScan<T> extends AsyncIterable<T> {
  /** Iterates over many items at a time, which is faster than one at a time. */
  chunks(): AsyncIterableIterator<readonly T[]>;
  /** Reads all items into an array. */
  toArray(): Promise<T[]>;
}

/** A part of the entries or keys, and the beginning of the next part. */
export interface PagePart<T> {
  /** The entries or keys, ascending; empty only at the end. */
  readonly items: readonly T[];
  /** The first key of the next part; undefined at the end. */
  readonly next: Uint8Array | undefined;
}

/** The most entries and bytes of a part: the size of a message of the original service. */
export const PART_ENTRIES = 64;
export const PART_BYTES = Math.floor((65_536 * 9) / 10);

/** Returns as many items as fit, and the key of the next one. */
export async function partOf<T>(
  scan: PageScan<T>,
  limit: number,
  measure: (item: T) => readonly [key: Uint8Array, bytes: number],
): Promise<PagePart<T>> {
  const items: T[] = [];
  let bytes = 0;
  for await (const item of scan) {
    const [key, size] = measure(item);
    if (items.length >= limit || (items.length > 0 && bytes + size > PART_BYTES)) return { items, next: key };
    items.push(item);
    bytes += size;
  }
  return { items, next: undefined };
}

/** Finds the entry with a key, among the changes or in the tree. */
export async function findChanged(
  source: NodeSource,
  root: ObjectIdentifier,
  { clear, changes }: ChangeSet,
  key: Uint8Array,
): Promise<TreeEntry | undefined> {
  const at = firstNotBefore(
    changes.length,
    (index) => compareBytes((changes[index] as EntryChange).key, key) < 0,
  );
  const change = changes[at];
  if (change !== undefined && equalBytes(change.key, key)) return change.entry;
  return clear ? undefined : findEntry(source, root, key);
}

/**
 * Yields runs of entries with changes in them.
 * @param changes in the order of the runs
 */
export async function* withChanges(
  runs: AsyncIterable<readonly TreeEntry[]> | readonly [],
  changes: readonly EntryChange[],
  reverse: boolean,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  let at = 0;
  for await (const run of runs) {
    const merged: TreeEntry[] = [];
    for (const entry of run) {
      let isReplaced = false;
      for (let change = changes[at]; change !== undefined; change = changes[++at]) {
        const order = compareBytes(change.key, entry.key);
        if (reverse ? order < 0 : order > 0) break;
        if (change.entry !== undefined) merged.push(change.entry);
        if (order === 0) isReplaced = true;
      }
      if (!isReplaced) merged.push(entry);
    }
    if (merged.length > 0) yield merged;
  }
  const rest = changes.slice(at).flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  if (rest.length > 0) yield rest;
}

/** The most entries whose values are read at once. */
const CHUNK_ENTRIES = 256;

/** Cuts runs of entries into chunks. A value of several pieces may be of any size: it is a chunk of its own. */
export async function* chunksOf(
  runs: AsyncIterable<readonly TreeEntry[]>,
): AsyncGenerator<readonly TreeEntry[], void, undefined> {
  for await (const run of runs)
    for (let at = 0; at < run.length; ) {
      const large = run.findIndex((entry, index) => index >= at && isSplit(entry));
      const end = large === at ? at + 1 : Math.min(at + CHUNK_ENTRIES, large < 0 ? run.length : large);
      yield run.slice(at, end);
      at = end;
    }
}

/** Returns whether the value of an entry has several pieces. */
export function isSplit({ value }: TreeEntry): boolean {
  return pieceType(value.digest) === "index";
}
