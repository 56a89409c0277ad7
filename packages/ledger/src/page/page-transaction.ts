/** The handle of a transaction: its changes, and reads that see them. */
import type { Connection } from "./connection.js";
import { type CountOptions, CurrentReads, type EntriesOptions } from "./current-reads.js";
import type { EntryKey } from "./key.js";
import { type Mutations, Mutator, type MutatorParts } from "./mutations.js";
import type { PageScan, ValueOptions } from "./page-scan.js";
import type { SharedPage } from "./shared-page.js";
import type { PageEntry, PageSnapshot } from "./snapshot.js";
import type { EntryValue } from "./value.js";
import type { Values } from "./value-codec.js";

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
   * Iterates over entries, like {@link Page.entries}. Changes after its beginning do not show. What was not read when the
   * work ends fails with CLOSED.
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
    const opened = new Set<PageSnapshot<Value>>();
    const reads = new CurrentReads((prefix, key) =>
      show(key, (commit, changes) => {
        const snapshot = shared.openSnapshot(commit, prefix, values.decode, changes);
        opened.add(snapshot);
        return snapshot;
      }),
    );
    try {
      return await work(new Handle({ values, references, valueSource, run }, reads));
    } finally {
      await Promise.all(Array.from(opened, (snapshot) => snapshot.close()));
    }
  });
}

class Handle<Value, Input> extends Mutator<Input> implements PageTransaction<Value, Input> {
  readonly #reads: CurrentReads<Value>;

  constructor(parts: MutatorParts<Input>, reads: CurrentReads<Value>) {
    super(parts);
    this.#reads = reads;
  }

  get(key: EntryKey, options?: ValueOptions): Promise<Value | undefined> {
    return this.#reads.get(key, options);
  }

  entries(options?: EntriesOptions): PageScan<PageEntry<Value>> {
    return this.#reads.entries(options);
  }

  keys(options?: EntriesOptions): PageScan<Uint8Array> {
    return this.#reads.keys(options);
  }

  count(options?: CountOptions): Promise<number> {
    return this.#reads.count(options);
  }
}
