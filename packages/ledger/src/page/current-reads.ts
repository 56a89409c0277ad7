/** Reads a page as it is now. Each call, and each iteration, reads a snapshot of its own. */
import { checkOptions, type OptionChecks, Scan } from "merostore/internal";
import { type EntryKey, keyBytes, textOrBytes } from "./key.js";
import {
  COUNT_OPTIONS,
  copiedBounds,
  type EntryCountOptions,
  type EntryScanOptions,
  type PageScan,
  PREFIX_OPTIONS,
  type PrefixOptions,
  SCAN_OPTIONS,
  VALUE_OPTIONS,
  type ValueOptions,
} from "./page-scan.js";
import type { PageEntry, PageSnapshot } from "./snapshot.js";

/** The entries or keys of an iteration over a page. */
export interface EntriesOptions extends PrefixOptions, EntryScanOptions {}

/** The entries of a page that are counted. */
export interface CountOptions extends PrefixOptions, EntryCountOptions {}

const ENTRIES_OPTIONS: OptionChecks<EntriesOptions> = { ...PREFIX_OPTIONS, ...SCAN_OPTIONS };
const PAGE_COUNT_OPTIONS: OptionChecks<CountOptions> = { ...PREFIX_OPTIONS, ...COUNT_OPTIONS };

/**
 * Opens a snapshot of the entries with a prefix.
 * @param key the only one that is read, if there is one
 */
export type OpenSnapshot<Value> = (prefix: Uint8Array, key?: Uint8Array) => Promise<PageSnapshot<Value>>;

export class CurrentReads<Value> {
  readonly #open: OpenSnapshot<Value>;

  constructor(open: OpenSnapshot<Value>) {
    this.#open = open;
  }

  async get(key: EntryKey, options?: ValueOptions): Promise<Value | undefined> {
    checkOptions("get", options, VALUE_OPTIONS);
    const bytes = keyBytes(key);
    const given = { ...options };
    await using snapshot = await this.#open(new Uint8Array(0), bytes);
    return await snapshot.get(bytes, given);
  }

  entries(options?: EntriesOptions): PageScan<PageEntry<Value>> {
    checkOptions("entries", options, ENTRIES_OPTIONS);
    return this.#scan(options, (snapshot, bounds) => snapshot.entries(bounds));
  }

  keys(options?: EntriesOptions): PageScan<Uint8Array> {
    checkOptions("keys", options, ENTRIES_OPTIONS);
    return this.#scan(options, (snapshot, bounds) => snapshot.keys(bounds));
  }

  async count(options: CountOptions = {}): Promise<number> {
    checkOptions("count", options, PAGE_COUNT_OPTIONS);
    const { prefix = "", ...given } = options;
    const bytes = textOrBytes(prefix, "a prefix");
    const bounds = copiedBounds(given);
    await using snapshot = await this.#open(bytes);
    return await snapshot.count(bounds);
  }

  #scan<T>(
    options: EntriesOptions | undefined,
    scan: (snapshot: PageSnapshot<Value>, bounds: EntryScanOptions) => PageScan<T>,
  ): PageScan<T> {
    const prefix = textOrBytes(options?.prefix ?? "", "a prefix");
    const { prefix: _, ...given } = options ?? {};
    const bounds = copiedBounds(given);
    return new Scan(
      this.#chunks(prefix, (snapshot) => scan(snapshot, bounds)),
      () => bounds.signal?.throwIfAborted(),
    );
  }

  async *#chunks<T>(
    prefix: Uint8Array,
    scan: (snapshot: PageSnapshot<Value>) => PageScan<T>,
  ): AsyncGenerator<readonly T[], void, undefined> {
    await using snapshot = await this.#open(prefix);
    yield* scan(snapshot).chunks();
  }
}
