/** A connection to a page: what a program works with. */

import { copyBytes } from "../../bytes/bytes.js";
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
import type { Reference } from "./reference.js";
import type { PageSnapshot } from "./snapshot.js";
import { type EntryValue, priorityOf, valueBytes } from "./value.js";
import { type ChangeListener, WatcherLoop } from "./watcher.js";

/** How a value is put. */
export interface PutOptions {
  /** `eager` unless given. The value of a `lazy` entry need not be on every device. */
  readonly priority?: Priority | undefined;
}

/** Which entries a snapshot shows, or a watcher tells of. */
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
  readonly journal: Journal;
  /** Of what the journal has. */
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
  /** Those that this connection has made. */
  readonly #references = new Set<Reference>();
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
    return copyBytes(this.#manager.id);
  }

  async put(key: EntryKey, value: EntryValue, options?: PutOptions): Promise<void> {
    const bytes = keyBytes(key);
    const source = valueBytes(value);
    const priority = priorityOf(options?.priority);
    await this.#mutate(async (transaction) => {
      const { storage } = this.#manager;
      if (!(source instanceof Uint8Array)) {
        const { root, release } = await storage.storeValue(source);
        transaction.holds.push(release);
        transaction.values.push(root);
        transaction.journal.put(bytes, root, priority);
        return;
      }
      const { root, pieces } = storage.splitValue(source);
      if (transaction.journal.hasRoom(pieces)) return transaction.journal.put(bytes, root, priority, pieces);
      transaction.holds.push(storage.liveObjects.hold(root.digest));
      transaction.values.push(root);
      await storage.storeTransient(pieces);
      transaction.journal.put(bytes, root, priority);
    });
  }

  async putReference(key: EntryKey, reference: Reference, options?: PutOptions): Promise<void> {
    const bytes = keyBytes(key);
    const priority = priorityOf(options?.priority);
    await this.#mutate(async ({ journal, holds }) => {
      const { references, storage } = this.#manager;
      const value = references.get(reference);
      holds.push(storage.liveObjects.hold(value.digest));
      journal.put(bytes, value, priority);
    });
  }

  async delete(key: EntryKey): Promise<void> {
    const bytes = keyBytes(key);
    await this.#mutate(async ({ journal }) => journal.delete(bytes));
  }

  clear(): Promise<void> {
    return this.#mutate(async ({ journal }) => journal.clear());
  }

  /**
   * Stores a value that may then be put at keys.
   *
   * @param size its bytes, where that is known: a value of another size is INVALID_ARGUMENT
   */
  async createReference(value: EntryValue, size?: number): Promise<Reference> {
    const source = valueBytes(value);
    return this.#run(async () => {
      const { storage, references } = this.#manager;
      const stored = await storage.storeValue(source instanceof Uint8Array ? [source] : source);
      if (size !== undefined && stored.size !== size) {
        stored.release();
        storage.drop([stored.root]);
        throw new MerostoreError("INVALID_ARGUMENT", `the value has ${stored.size} bytes, not ${size}`);
      }
      const reference = references.add(stored.root, stored.release);
      this.#references.add(reference);
      return reference;
    });
  }

  /**
   * Begins a transaction: from now on the changes of this connection are one, also those that its listeners make. Settles
   * when its watchers have been told of everything before; so it must not be awaited by one of them.
   *
   * @throws MerostoreError ILLEGAL_STATE if one goes on already
   */
  async startTransaction(): Promise<void> {
    await this.#run(async () => {
      if (this.#transaction !== undefined)
        throw new MerostoreError("ILLEGAL_STATE", "this connection has a transaction going on already");
      this.#transaction = this.#begin();
    });
    // Its turn is over: a listener that is waited for may have to wait for the connection.
    await Promise.all([...this.#watchers].map((watcher) => watcher.idle()));
  }

  /**
   * Makes the changes of the transaction, all or none. Where that fails the transaction is over, and nothing has changed.
   * @throws MerostoreError ILLEGAL_STATE if none goes on
   */
  commit(): Promise<void> {
    return this.#run(async () => {
      const transaction = this.#current();
      this.#transaction = undefined;
      await this.#commit(transaction);
    });
  }

  /**
   * Drops the changes of the transaction.
   * @throws MerostoreError ILLEGAL_STATE if none goes on
   */
  rollback(): Promise<void> {
    return this.#run(async () => this.#rollBack(this.#current()));
  }

  /**
   * Runs work as a transaction: committed when it is done, rolled back when it throws. Snapshots that it takes show the
   * page as it was before. Not to be awaited by a listener of this connection.
   *
   * @returns what the work gave
   * @throws MerostoreError ILLEGAL_STATE if a transaction goes on already; what the work throws
   */
  async transaction<T>(work: (transaction: Mutations) => Promise<T>): Promise<T> {
    await this.startTransaction();
    let result: T;
    try {
      result = await work(this);
    } catch (error) {
      // The work, or the end of the connection, may have ended it already.
      await this.rollback().catch(() => undefined);
      throw error;
    }
    await this.commit();
    return result;
  }

  /** The page as it is now for this connection; in a transaction, as it was at its beginning. */
  async snapshot({ prefix = "" }: PrefixOptions = {}): Promise<PageSnapshot> {
    const bytes = textOrBytes(prefix, "a prefix");
    return this.#run(async () => this.#manager.openSnapshot(this.#branch.head, bytes));
  }

  /**
   * Calls a listener with every change from now on: in order, one call at a time, and not during a transaction. While a
   * call goes on changes add up. What the listener throws ends the watching, and {@link Watcher.idle} rejects with it.
   *
   * @example
   * using watcher = await page.watch({ prefix: "contact/" }, ({ changed, deleted }) => console.log(changed, deleted));
   */
  async watch({ prefix = "" }: PrefixOptions, listener: ChangeListener): Promise<Watcher> {
    const bytes = textOrBytes(prefix, "a prefix");
    return this.#run(async () => {
      const { storage } = this.#manager;
      const loop = new WatcherLoop(storage, this.#branch.head, bytes, listener);
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

  /**
   * Settles when the page has one head: whether there were others. As long as a conflict resolver fails, or all are
   * removed, it does not settle.
   *
   * @throws MerostoreError CLOSED when the page is closed meanwhile; what keeps the heads from being merged
   */
  async waitForConflictResolution(): Promise<"no-conflicts" | "conflicts-resolved"> {
    this.#check();
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
      for (const watcher of this.#watchers) watcher.close();
      if (this.#transaction !== undefined) this.#rollBack(this.#transaction);
      const { references, storage } = this.#manager;
      storage.drop(references.release(this.#references));
      this.#branch.close();
      await this.#manager.release(this);
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    this.#check();
    return this.#operations.run(work);
  }

  #check(): void {
    if (this.#closing !== undefined)
      throw new MerostoreError("CLOSED", `the page ${toHex(this.id)} is closed`);
  }

  /** Runs a change in the transaction that goes on, or as one of its own. */
  #mutate(change: (transaction: Transaction) => Promise<void>): Promise<void> {
    return this.#run(async () => {
      if (this.#transaction !== undefined) return change(this.#transaction);
      const transaction = this.#begin();
      try {
        await change(transaction);
      } catch (error) {
        this.#end(transaction);
        throw error;
      }
      await this.#commit(transaction);
    });
  }

  /** From now on others do not move the connection's state, and its watchers are told of nothing. */
  #begin(): Transaction {
    this.#branch.pin();
    return { journal: new Journal(), holds: [], values: [] };
  }

  #current(): Transaction {
    if (this.#transaction !== undefined) return this.#transaction;
    throw new MerostoreError("ILLEGAL_STATE", "this connection has no transaction going on");
  }

  async #commit(transaction: Transaction): Promise<void> {
    let commit: Commit | undefined;
    try {
      commit = await this.#manager.storage.commit([this.#branch.head], transaction.journal.contents);
    } finally {
      this.#end(transaction, commit);
    }
  }

  #rollBack(transaction: Transaction): void {
    this.#transaction = undefined;
    this.#end(transaction);
  }

  #end({ holds, values }: Transaction, commit?: Commit): void {
    this.#branch.unpin(commit);
    for (const end of holds) end();
    this.#manager.storage.drop(values);
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher.update(this.#branch.head);
  }
}
