/** A connection to a page: what a program works with. */

import { toHex } from "../../bytes/hex.js";
import { MerostoreError } from "../../errors.js";
import type { ObjectIdentifier } from "../objects/identifier.js";
import type { Commit } from "../storage/commit.js";
import { Journal } from "../storage/journal.js";
import type { Release } from "../storage/live.js";
import { Serial } from "../storage/serial.js";
import type { SyncState } from "../sync/cloud.js";
import type { Priority } from "../tables/tree-node.js";
import { Branch } from "./branch.js";
import { type EntryKey, keyBytes, textOrBytes } from "./key.js";
import type { PageManager } from "./page-manager.js";
import { type Reference, References } from "./reference.js";
import type { PageSnapshot } from "./snapshot.js";
import { type ChangeListener, WatcherLoop } from "./watcher.js";

/** A value: bytes, a text that stands for its UTF-8 bytes, or bytes that come piece by piece. */
export type EntryValue = Uint8Array | string | AsyncIterable<Uint8Array>;

export interface PutOptions {
  /** `eager` unless given. The value of a `lazy` entry need not be on every device. */
  readonly priority?: Priority | undefined;
}

export interface PrefixOptions {
  /** Only entries whose keys begin so; all unless given. */
  readonly prefix?: EntryKey | undefined;
}

/** What can be done in a transaction. */
export interface Mutations {
  /** Puts a value at a key of at most 256 bytes. */
  put(key: EntryKey, value: EntryValue, options?: PutOptions): Promise<void>;
  /** Puts a value that the page holds already at a key. */
  putReference(key: EntryKey, reference: Reference, options?: PutOptions): Promise<void>;
  /** Removes the entry at a key, if there is one. */
  delete(key: EntryKey): Promise<void>;
  /** Removes all entries. */
  clear(): Promise<void>;
}

/** A watcher that goes on until it is closed. */
export interface Watcher extends Disposable {
  /** Settles when its listener has been told of everything so far. Rejects with what the listener threw. */
  idle(): Promise<void>;
  close(): void;
}

interface Transaction {
  readonly base: Commit;
  readonly journal: Journal;
  /** Of what the journal has, and of its base. */
  readonly holds: Release[];
  /** The values that the journal has been given. */
  readonly values: ObjectIdentifier[];
}

/**
 * A connection to a page. Its operations run one after another, in the order in which they were called. Outside a
 * transaction each change is a commit of its own: when it settles it is on disk, synced where the engine can.
 *
 * Several connections to a page, in one process, do not wait for each other: where they change a page at the same time it
 * has two heads, which are merged as the conflict resolver says.
 *
 * @example
 * await using page = await ledger.rootPage();
 * await page.put("name", "Alice");
 * await page.transaction(async (tx) => {
 *   await tx.put("city", "Paris");
 *   await tx.delete("name");
 * });
 */
export class Page implements Mutations, AsyncDisposable {
  readonly #manager: PageManager;
  readonly #branch: Branch;
  readonly #operations = new Serial();
  readonly #references = new References();
  readonly #watchers = new Set<WatcherLoop>();
  #transaction: Transaction | undefined;
  #closing: Promise<void> | undefined;

  /** For ledgers: `ledger.page(id)` makes them. */
  constructor(manager: PageManager, head: Commit) {
    this.#manager = manager;
    this.#branch = new Branch(manager.storage, head, () => this.#notify());
  }

  /** 16 bytes. */
  get id(): Uint8Array {
    return this.#manager.id.slice();
  }

  put(key: EntryKey, value: EntryValue, options?: PutOptions): Promise<void> {
    return this.#mutate(async (transaction) => {
      const bytes = keyBytes(key);
      const { storage } = this.#manager;
      const priority = options?.priority ?? "eager";
      if (typeof value !== "string" && !(value instanceof Uint8Array)) {
        const { root, release } = await storage.storeValue(value);
        transaction.holds.push(release);
        transaction.values.push(root);
        transaction.journal.put(bytes, root, priority);
        return;
      }
      const { root, pieces } = storage.splitValue(textOrBytes(value, "a value"));
      if (transaction.journal.hasRoom(pieces)) return transaction.journal.put(bytes, root, priority, pieces);
      transaction.holds.push(storage.liveObjects.hold(root.digest));
      transaction.values.push(root);
      await storage.storeTransient(pieces);
      transaction.journal.put(bytes, root, priority);
    });
  }

  putReference(key: EntryKey, reference: Reference, options?: PutOptions): Promise<void> {
    return this.#mutate(async ({ journal, holds }) => {
      const value = this.#references.get(reference);
      holds.push(this.#manager.storage.liveObjects.hold(value.digest));
      journal.put(keyBytes(key), value, options?.priority ?? "eager");
    });
  }

  delete(key: EntryKey): Promise<void> {
    return this.#mutate(async ({ journal }) => journal.delete(keyBytes(key)));
  }

  clear(): Promise<void> {
    return this.#mutate(async ({ journal }) => journal.clear());
  }

  /**
   * Stores a value that may then be put at keys.
   *
   * @param size its bytes, where that is known: a value of another size is INVALID_ARGUMENT
   */
  createReference(value: EntryValue, size?: number): Promise<Reference> {
    return this.#run(async () => {
      const { storage } = this.#manager;
      const isStream = typeof value !== "string" && !(value instanceof Uint8Array);
      const stored = await storage.storeValue(isStream ? value : [textOrBytes(value, "a value")]);
      if (size !== undefined && stored.size !== size) {
        stored.release();
        throw new MerostoreError("INVALID_ARGUMENT", `the value has ${stored.size} bytes, not ${size}`);
      }
      return this.#references.add(stored.root, stored.release);
    });
  }

  /**
   * Begins a transaction: from now on the changes of this connection are one. Waits until its watchers have been told of
   * everything; so it must not be awaited by one of them.
   *
   * @throws MerostoreError ILLEGAL_STATE if one goes on already
   */
  startTransaction(): Promise<void> {
    return this.#run(async () => {
      if (this.#transaction !== undefined)
        throw new MerostoreError("ILLEGAL_STATE", "this connection has a transaction going on already");
      await Promise.all([...this.#watchers].map((watcher) => watcher.idle()));
      this.#transaction = this.#begin();
    });
  }

  /**
   * Makes the changes of the transaction, all or none.
   * @throws MerostoreError ILLEGAL_STATE if none goes on
   */
  commit(): Promise<void> {
    return this.#run(async () => {
      const transaction = this.#current();
      try {
        await this.#commit(transaction);
      } finally {
        this.#end(transaction);
      }
    });
  }

  /**
   * Drops the changes of the transaction.
   * @throws MerostoreError ILLEGAL_STATE if none goes on
   */
  rollback(): Promise<void> {
    return this.#run(async () => this.#end(this.#current()));
  }

  /**
   * Runs work as a transaction: committed when it is done, rolled back when it throws. Snapshots that it takes show the
   * page as it was before.
   */
  async transaction<T>(work: (transaction: Mutations) => Promise<T>): Promise<T> {
    await this.startTransaction();
    let result: T;
    try {
      result = await work(this);
    } catch (error) {
      await this.rollback();
      throw error;
    }
    await this.commit();
    return result;
  }

  /** The page as it is now for this connection; in a transaction, as it was at its beginning. */
  snapshot({ prefix = "" }: PrefixOptions = {}): Promise<PageSnapshot> {
    return this.#run(async () => {
      const commit = this.#transaction?.base ?? this.#branch.head;
      return this.#manager.openSnapshot(commit, prefix);
    });
  }

  /**
   * Calls a listener with every change from now on: in order, one call at a time, and not during a transaction. While a
   * call goes on changes add up.
   *
   * @example
   * using watcher = await page.watch({ prefix: "contact/" }, ({ changed, deleted }) => show(changed, deleted));
   */
  watch({ prefix = "" }: PrefixOptions, listener: ChangeListener): Promise<Watcher> {
    return this.#run(async () => {
      const commit = this.#transaction?.base ?? this.#branch.head;
      const loop = new WatcherLoop(this.#manager.storage, commit, textOrBytes(prefix, "a prefix"), listener);
      this.#watchers.add(loop);
      const close = (): void => {
        loop.close();
        this.#watchers.delete(loop);
      };
      const idle = async (): Promise<void> => {
        await loop.idle();
        if (loop.failure !== undefined) throw loop.failure;
      };
      return { idle, close, [Symbol.dispose]: close };
    });
  }

  /** Settles when the page has one head: whether there were others. */
  waitForConflictResolution(): Promise<"no-conflicts" | "conflicts-resolved"> {
    return this.#manager.merger.idle();
  }

  /** Whether the page is as the cloud has it; always `idle` without a cloud. */
  get syncState(): SyncState {
    return this.#manager.cloud.state;
  }

  /**
   * Calls a listener whenever the state of syncing changes.
   * @returns ends it
   */
  onSyncState(listener: (state: SyncState) => void): () => void {
    return this.#manager.cloud.onState(listener);
  }

  /** Ends the connection; a transaction that goes on is rolled back. Snapshots stay. */
  close(): Promise<void> {
    this.#closing ??= this.#operations.run(async () => {
      if (this.#transaction !== undefined) this.#end(this.#transaction);
      for (const watcher of this.#watchers) watcher.close();
      this.#manager.storage.drop(this.#references.releaseAll());
      this.#branch.close();
      await this.#manager.release(this);
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined)
      return Promise.reject(new MerostoreError("CLOSED", `the page ${toHex(this.id)} is closed`));
    return this.#operations.run(work);
  }

  /** Runs a change in the transaction that goes on, or as one of its own. */
  #mutate(change: (transaction: Transaction) => Promise<void>): Promise<void> {
    return this.#run(async () => {
      if (this.#transaction !== undefined) return change(this.#transaction);
      const transaction = this.#begin();
      try {
        await change(transaction);
        await this.#commit(transaction);
      } finally {
        this.#release(transaction);
      }
    });
  }

  #begin(): Transaction {
    const base = this.#branch.head;
    const holds = [this.#manager.storage.liveCommits.hold(base.id)];
    return { base, journal: new Journal(), holds, values: [] };
  }

  #current(): Transaction {
    if (this.#transaction !== undefined) return this.#transaction;
    throw new MerostoreError("ILLEGAL_STATE", "this connection has no transaction going on");
  }

  async #commit({ base, journal }: Transaction): Promise<void> {
    const commit = await this.#manager.storage.commit([base], journal.contents);
    if (commit !== undefined) this.#branch.moveTo(commit);
  }

  #end(transaction: Transaction): void {
    this.#transaction = undefined;
    this.#release(transaction);
    this.#notify();
  }

  #release({ holds, values }: Transaction): void {
    for (const end of holds) end();
    this.#manager.storage.drop(values);
  }

  #notify(): void {
    if (this.#transaction !== undefined) return;
    for (const watcher of this.#watchers) watcher.update(this.#branch.head);
  }
}
