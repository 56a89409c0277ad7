/** A connection to a page: the programming interface of a page. */
import { checkOptions, copyBytes } from "merostore/internal";
import { checkCallback, outside, type Watcher, watcherOf, within } from "../callbacks.js";
import type { Commit } from "../storage/commit.js";
import type { LastSync } from "../storage/page-state.js";
import { type SyncListener, type SyncStates, SyncWatcherLoop, statesOf } from "../sync/sync-states.js";
import { Connection, type PageSettings } from "./connection.js";
import { type EntryKey, textOrBytes } from "./key.js";
import type { Mutations, PutOptions } from "./mutations.js";
import {
  type CountOptions,
  type EntriesOptions,
  Operations,
  type PageTransaction,
  transact,
} from "./operations.js";
import {
  type CommitId,
  commitIdBytes,
  differencesOfCommits,
  type EntryDifference,
  headsOf,
  historyOf,
  type PageCommit,
} from "./page-history.js";
import { type PageScan, PREFIX_OPTIONS, type PrefixOptions, type ValueOptions } from "./page-scan.js";
import type { SharedPage } from "./shared-page.js";
import type { PageEntry, PageSnapshot } from "./snapshot.js";
import { checkSize, type EntryValue, takingValue, type ValueReference, valueBytes } from "./value.js";
import type { Values } from "./value-codec.js";
import {
  type ChangeListener,
  SNAPSHOT_OPTIONS,
  type SnapshotOptions,
  WATCH_OPTIONS,
  type WatchedSnapshot,
  WatcherLoop,
  Watchers,
  type WatchOptions,
} from "./watcher.js";

/**
 * A connection to a page. Its values are bytes unless the option `values` of {@link Ledger.page} names another form.
 * `Value` is the type of the values that it returns, `Input` the type of the values that are put. Its operations run
 * one after another, in the order of the calls. Outside a transaction, changes that wait for the same turn become one
 * commit, such as the changes of a loop that awaits none of them. A change that is awaited before the next one, or has
 * a streamed value, is a commit of its own. When its promise settles, the commit is on disk, synced if the engine can,
 * unless the connection is opened with `durability: "eventual"`. A change with a wrong argument fails alone.
 *
 * While the work of a {@link Page.transaction} runs, other changes and transactions of the connection wait until it
 * ends. Snapshots do not wait; they show the page as it was at the beginning of the transaction.
 *
 * Several connections to a page in one process do not wait for each other. If they change the page at the same time, it
 * has two heads, which are merged by the policy of the conflict resolver.
 *
 * @example
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 * await page.transaction(async (tx) => {
 *   await tx.put("city", "Paris");
 *   await tx.delete("name");
 * });
 */
export class Page<Value = Uint8Array, Input = EntryValue> implements Mutations<Input>, AsyncDisposable {
  readonly #shared: SharedPage;
  readonly #connection: Connection;
  readonly #values: Values<Value, Input>;
  readonly #operations: Operations<Value, Input>;
  /** The references that this connection has made. */
  readonly #references = new Set<ValueReference>();
  readonly #watchers = new Watchers<Value>();
  readonly #syncWatchers = new Set<SyncWatcherLoop>();

  /** @internal Called by ledgers: use `ledger.page(id)`. */
  constructor(shared: SharedPage, head: Commit, { values, durability }: PageSettings<Value, Input>) {
    this.#shared = shared;
    this.#values = values;
    const connection = new Connection(shared, head, this.#watchers, durability);
    this.#connection = connection;
    this.#operations = new Operations(
      {
        values,
        references: shared.references,
        valueSource: connection.valueSource,
        run: (change, bytes) => connection.change(change, bytes),
      },
      (prefix) => connection.show((commit) => shared.openSnapshot(commit, prefix, values.decode)),
    );
  }

  /** 16 bytes. */
  get id(): Uint8Array {
    return copyBytes(this.#shared.id);
  }

  put(key: EntryKey, value: Input, options?: PutOptions): Promise<void> {
    return this.#operations.put(key, value, options);
  }

  putReference(key: EntryKey, reference: ValueReference, options?: PutOptions): Promise<void> {
    return this.#operations.putReference(key, reference, options);
  }

  delete(key: EntryKey): Promise<void> {
    return this.#operations.delete(key);
  }

  clear(): Promise<void> {
    return this.#operations.clear();
  }

  /**
   * Settles when all earlier changes are on disk, also `eventual` ones.
   * @throws the error of a change that was not stored
   */
  flush(): Promise<void> {
    return this.#connection.flush();
  }

  /**
   * Stores the bytes of a value, which can then be put at any number of keys. If the call is rejected, a stream is
   * destroyed.
   *
   * @param size the bytes of the value, if known: a value of another size is INVALID_ARGUMENT
   */
  createReference(value: EntryValue, size?: number): Promise<ValueReference> {
    return takingValue(value, async () => {
      const source = valueBytes(value, this.#connection.valueSource);
      checkSize(size);
      return this.#connection.read(async () => {
        const { storage, references } = this.#shared;
        const reference = await references.store(storage.values, source, size);
        this.#references.add(reference);
        return reference;
      });
    });
  }

  /**
   * Runs work as a transaction. Commits when the work has finished, and rolls back when it throws. Only changes through
   * the handle that the work receives belong to the transaction. The handle throws ILLEGAL_STATE after the work. The
   * work begins when the listeners of the connection have processed all earlier changes. A listener may change the page
   * meanwhile; its changes are commits of their own, before the transaction.
   * The work must not change the page without the handle, and must not begin another transaction of this connection. A
   * listener of this connection must not begin a transaction either. Such calls would wait for themselves, so they fail
   * with ILLEGAL_STATE. Node's async context identifies them; a call that the work hands to a queue which other code
   * processes is not recognised and hangs.
   *
   * @returns the result of the work
   * @throws MerostoreError ILLEGAL_STATE; CLOSED if the connection is closed meanwhile; the error of the work
   */
  async transaction<T>(work: (transaction: PageTransaction<Value, Input>) => Promise<T>): Promise<T> {
    checkCallback("the work of a transaction", work);
    return transact(this.#shared, this.#connection, this.#values, work);
  }

  /**
   * Returns the value at a key as this connection sees it, or undefined if there is no entry at the key. During a
   * transaction it is the value before it. Read values that must be of the same state from a snapshot.
   *
   * @throws MerostoreError NEEDS_FETCH for a lazy value that is not on this device; NETWORK_ERROR; DATA_INTEGRITY_ERROR
   * if pieces of an eager value are missing and cannot be fetched; DECODE_FAILED if the bytes do not decode
   */
  get(key: EntryKey, options?: ValueOptions): Promise<Value | undefined> {
    return this.#operations.get(key, options);
  }

  /**
   * Iterates over entries with their values, in ascending order of the keys unless `reverse` is given. All are of one
   * state: the state of the page when the iteration begins. Closing the page does not end it. Fetches nothing.
   *
   * @throws MerostoreError DATA_INTEGRITY_ERROR, during the iteration, if pieces of an eager value are missing;
   * DECODE_FAILED after all entries before a value that does not decode: its message names the key
   * @example
   * for await (const { key, value } of page.entries({ prefix: "contact/" })) console.log(key, value);
   */
  entries(options?: EntriesOptions): PageScan<PageEntry<Value>> {
    return this.#operations.entries(options);
  }

  /** Iterates over keys like {@link Page.entries}. Reads no values. */
  keys(options?: EntriesOptions): PageScan<Uint8Array> {
    return this.#operations.keys(options);
  }

  /** Returns the number of entries. Reads no values. */
  count(options?: CountOptions): Promise<number> {
    return this.#operations.count(options);
  }

  /**
   * Opens a snapshot of the page as this connection sees it; during a transaction, as it was at its beginning. With
   * `watch`, the listener is called with exactly the changes after the snapshot, as by {@link Page.watch}.
   *
   * @example
   * const snapshot = await page.snapshot({
   *   prefix: "contact/",
   *   watch: ({ changed, deleted }) => console.log(changed, deleted),
   * });
   * for await (const { key, value } of snapshot.entries()) console.log(key, value);
   * await snapshot.close(); // the watcher goes on until it is closed, or the page is
   * snapshot.watcher.close();
   */
  snapshot(
    options: SnapshotOptions<Value> & { readonly watch: ChangeListener<Value> },
  ): Promise<WatchedSnapshot<Value>>;
  /** Opens a snapshot without a watcher. */
  snapshot(options?: SnapshotOptions<Value>): Promise<PageSnapshot<Value>>;
  async snapshot(options?: SnapshotOptions<Value>): Promise<PageSnapshot<Value>> {
    checkOptions("snapshot", options, SNAPSHOT_OPTIONS);
    const { prefix = "", watch: listener, values } = options ?? {};
    const bytes = textOrBytes(prefix, "a prefix");
    return this.#connection.show((commit) => {
      const snapshot = this.#shared.openSnapshot(commit, bytes, this.#values.decode);
      return listener === undefined
        ? snapshot
        : Object.assign(snapshot, { watcher: this.#watch(commit, { prefix: bytes, values }, listener) });
    });
  }

  /** Returns the heads by (timestamp, id): the commits that no other follows. They are merged, now or later. */
  heads(): Promise<PageCommit[]> {
    return this.#connection.read(() => headsOf(this.#shared.storage));
  }

  /**
   * Iterates over the commits that are on this device, by descending generation: children before their parents. Without
   * a cloud, commits that nobody needs are removed, unless the ledger was opened with `history: "keep"`.
   *
   * @example
   * for await (const { id, timestamp } of page.history()) {
   *   await using snapshot = await page.snapshotAt(id);
   *   console.log(timestamp, await snapshot.get("name"));
   * }
   */
  async *history(): AsyncGenerator<PageCommit, void, undefined> {
    await this.#connection.read(async () => undefined); // after all earlier changes
    for await (const commit of historyOf(this.#shared.storage)) {
      yield commit;
      this.#connection.check();
    }
  }

  /**
   * Opens a snapshot of the page as it was at a commit. The commit stays on this device until the snapshot is closed.
   *
   * @param commit 32 bytes or 64 hex digits
   * @throws MerostoreError COMMIT_NOT_FOUND if the commit was removed, or never was on this device
   */
  async snapshotAt(commit: CommitId, options?: PrefixOptions): Promise<PageSnapshot<Value>> {
    checkOptions("snapshotAt", options, PREFIX_OPTIONS);
    const bytes = textOrBytes(options?.prefix ?? "", "a prefix");
    const id = commitIdBytes(commit);
    return this.#connection.read(async () => {
      const held = await this.#shared.storage.holdCommit(id);
      try {
        return this.#shared.openSnapshot(held.commit, bytes, this.#values.decode);
      } finally {
        held.release();
      }
    });
  }

  /**
   * Iterates over the entries that differ between two commits, in the order of their keys. Shared parts are not read.
   * Both commits stay on this device until the iteration ends; read values with {@link Page.snapshotAt}.
   *
   * @throws MerostoreError COMMIT_NOT_FOUND if one was removed, or never was on this device; INVALID_ARGUMENT; CLOSED
   * @example
   * for (const { id } of await page.heads())
   *   for await (const { key, before, after } of page.diff("00".repeat(32), id)) console.log(key, before, after);
   */
  async *diff(
    before: CommitId,
    after: CommitId,
    options?: PrefixOptions,
  ): AsyncGenerator<EntryDifference, void, undefined> {
    checkOptions("diff", options, PREFIX_OPTIONS);
    const prefix = textOrBytes(options?.prefix ?? "", "a prefix");
    const ids = [commitIdBytes(before), commitIdBytes(after)] as const;
    this.#connection.check();
    for await (const difference of differencesOfCommits(this.#shared.storage, ids, prefix)) {
      yield difference;
      this.#connection.check();
    }
  }

  /**
   * Calls a listener with all later changes: in order, one call at a time, and not during a transaction. Changes that
   * are made during a call are passed to the next one together. An error of the listener closes the watcher, and
   * {@link Watcher.idle} rejects with it; so does a value that does not decode. To read the present state as well, use
   * {@link Page.snapshot} with `watch`.
   *
   * A listener may read, change and close the page. It cannot begin a transaction of this connection, because
   * transactions wait for listeners: ILLEGAL_STATE. It can begin one after its call has settled, in a timer.
   *
   * @example
   * using watcher = await page.watch({ prefix: "contact/" }, ({ changed, deleted }) => console.log(changed, deleted));
   */
  async watch(options: WatchOptions | undefined, listener: ChangeListener<Value>): Promise<Watcher> {
    checkOptions("watch", options, WATCH_OPTIONS);
    const given = { ...options, prefix: textOrBytes(options?.prefix ?? "", "a prefix") };
    checkCallback("the listener of a watcher", listener);
    return this.#connection.show((commit) => this.#watch(commit, given, listener));
  }

  /** Adds a watcher of the changes after a commit. */
  #watch(
    start: Commit,
    { prefix, values }: WatchOptions & { readonly prefix: Uint8Array },
    listener: ChangeListener<Value>,
  ): Watcher {
    const { storage } = this.#shared;
    const { decode } = this.#values;
    const loop: WatcherLoop<Value> = new WatcherLoop(storage, start, {
      decode,
      prefix,
      values,
      ready: () => this.#connection.notified(),
      listener: (change) =>
        outside(() => within(this.#connection.watcherCall, () => within(loop, () => listener(change)))),
      open: (commit, bytes) => {
        this.#connection.check();
        return this.#shared.openSnapshot(commit, bytes, decode);
      },
    });
    this.#watchers.add(loop);
    return watcherOf(loop, () => this.#watchers.delete(loop));
  }

  /**
   * Settles when the page has one head, and returns whether there were others. Heads that would wait for the cloud are
   * merged now. Does not settle while all conflict resolvers are removed. Rejects if merging fails. Merging is tried
   * again after a delay, after the next commit, and at the next call of this method.
   *
   * @throws MerostoreError CLOSED if the page is closed meanwhile; INVALID_ARGUMENT if a conflict resolver returns no
   * valid policy; ILLEGAL_STATE if a conflict resolver of the page calls this method; NETWORK_ERROR if a state that the
   * merge needs is only in the cloud, which cannot be reached; the error of a conflict resolver, or another error that
   * stops merging
   */
  async waitForConflictResolution(): Promise<"no-conflicts" | "conflicts-resolved"> {
    this.#connection.check();
    return this.#shared.waitForConflictResolution();
  }

  /** @internal Called when the page knows how heads are merged. */
  onPolicy(): void {
    this.#connection.notify();
  }

  /** The states of syncing the page; always `idle` without a cloud. */
  get syncState(): SyncStates {
    return statesOf(this.#shared.cloud);
  }

  /**
   * The last sync after which this device and the cloud had everything of each other; undefined before the first one.
   * It is stored with the page, to the minute, and needs no cloud.
   */
  async lastSync(): Promise<LastSync | undefined> {
    this.#connection.check();
    return this.#shared.storage.lastSyncs.read();
  }

  /**
   * Calls a listener with the states of syncing the page: with the present ones first, then whenever they have changed.
   * There is one call at a time. After a long call, the next one has the newest states; there is none if they are the
   * same again. An error of the listener closes the watcher, and {@link Watcher.idle} rejects with it. The page closes
   * it too.
   *
   * @example
   * using watcher = page.watchSyncState(({ download, upload }) => console.log(download, upload));
   */
  watchSyncState(listener: SyncListener): Watcher {
    checkCallback("the listener of a watcher", listener);
    this.#connection.check();
    const loop = new SyncWatcherLoop(this.#shared.cloud, listener);
    this.#syncWatchers.add(loop);
    return watcherOf(loop, () => this.#syncWatchers.delete(loop));
  }

  /**
   * Closes the connection. Rolls back its transaction and completes the other earlier operations. A
   * {@link Page.transaction} whose work has not begun fails with CLOSED. Snapshots stay open.
   */
  close(): Promise<void> {
    return this.#connection.close(async () => {
      for (const watcher of this.#syncWatchers) watcher.close();
      const { references, storage } = this.#shared;
      storage.values.discard(references.release(this.#references));
      await this.#shared.release(this);
    });
  }

  /** Closes this connection to the page. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
