/**
 * The operations of a page, as it is now, and of a transaction. Each call that reads, and each iteration, reads a
 * snapshot of its own.
 */
import { checkOptions, type OptionChecks, Scan } from "merostore/internal";
import type { Connection } from "./connection.js";
import { type EntryKey, keyBytes, textOrBytes } from "./key.js";
import { type Mutations, Mutator, type MutatorParts } from "./mutations.js";
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
import type { SharedPage } from "./shared-page.js";
import type { PageEntry, PageSnapshot } from "./snapshot.js";
import type { EntryValue } from "./value.js";
import type { Values } from "./value-codec.js";

/** The entries or keys of an iteration over a page. */
export interface EntriesOptions extends PrefixOptions, EntryScanOptions {}

/** The entries of a page to count. */
export interface CountOptions extends PrefixOptions, EntryCountOptions {}

const ENTRIES_OPTIONS: OptionChecks<EntriesOptions> = { ...PREFIX_OPTIONS, ...SCAN_OPTIONS };
const PAGE_COUNT_OPTIONS: OptionChecks<CountOptions> = { ...PREFIX_OPTIONS, ...COUNT_OPTIONS };

/**
 * Opens a snapshot of the entries with a prefix.
 * @param key the only key that is read; undefined if all may be read
 */
export type OpenSnapshot<Value> = (prefix: Uint8Array, key?: Uint8Array) => Promise<PageSnapshot<Value>>;

/** Changes, and reads that see them. */
export class Operations<Value, Input> extends Mutator<Input> implements PageTransaction<Value, Input> {
  readonly #open: OpenSnapshot<Value>;

  constructor(parts: MutatorParts<Input>, open: OpenSnapshot<Value>) {
    super(parts);
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

/**
 * The changes of a transaction, and reads of the page with the changes that the transaction has made so far.
 *
 * @example
 * await page.transaction(async (tx) => {
 *   const count = Number(new TextDecoder().decode(await tx.get("count")));
 *   await tx.put("count", String(count + 1));
 * });
 */
export interface PageTransaction<Value = Uint8Array, Input = EntryValue> extends Mutations<Input> {
  /** Returns the value at a key, like {@link Page.get}. */
  get(key: EntryKey, options?: ValueOptions): Promise<Value | undefined>;
  /**
   * Iterates over entries, like {@link Page.entries}. Later changes do not show. After the end of the work, reading on
   * fails with CLOSED.
   */
  entries(options?: EntriesOptions): PageScan<PageEntry<Value>>;
  /** Iterates over keys like {@link PageTransaction.entries}. Reads no values. */
  keys(options?: EntriesOptions): PageScan<Uint8Array>;
  /** Returns the number of entries. Reads no values. */
  count(options?: CountOptions): Promise<number>;
}

/** Runs work as a transaction of a connection. */
export function transact<T, Value, Input>(
  shared: SharedPage,
  connection: Connection,
  values: Values<Value, Input>,
  work: (transaction: PageTransaction<Value, Input>) => Promise<T>,
): Promise<T> {
  const { references } = shared;
  const { valueSource } = connection;
  return connection.transaction(async (run, show) => {
    const opened = new Set<PageSnapshot<unknown>>();
    const open: OpenSnapshot<Value> = (prefix, key) =>
      show(key, (commit, changes) => shared.openSnapshot(commit, prefix, values.decode, { changes, opened }));
    try {
      return await work(new Operations({ values, references, valueSource, run }, open));
    } finally {
      await Promise.all(Array.from(opened, (snapshot) => snapshot.close()));
    }
  });
}
