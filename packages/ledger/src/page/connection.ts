/** Orders the operations of one connection to a page: reads, changes and transactions. */
import { illegalState, MerostoreError, toHex } from "merostore/internal";
import { isWithin, within } from "../callbacks.js";
import type { Commit } from "../storage/commit.js";
import type { ChangeSet } from "../storage/journal.js";
import type { PageStorage } from "../storage/page-storage.js";
import { Timer } from "../timer.js";
import { Branch } from "./branch.js";
import { Transaction } from "./mutations.js";
import type { SharedPage } from "./shared-page.js";
import { Bundle, type Mutation, Turns } from "./turns.js";
import type { Values } from "./value-codec.js";
import type { Watchers } from "./watcher.js";

/** The watchers of a connection. */
type Watching = Pick<Watchers<unknown>, "size" | "notify" | "idle" | "close">;

/** Runs a mutation in one transaction. */
export type RunMutation = (mutation: Mutation) => Promise<void>;

/**
 * Passes the commit that a transaction changes, and its changes so far, to a function, which must hold the commit.
 * @param key the only key that is read; undefined if all may be read
 */
export type ShowChanged = <T>(
  key: Uint8Array | undefined,
  use: (commit: Commit, changes: ChangeSet) => T,
) => Promise<T>;

/**
 * When a change settles. `immediate`: when it is on disk, in a commit. `eventual`: at once; it is on disk about 25 ms
 * later, in a commit with the other changes of that time.
 */
export type Durability = "immediate" | "eventual";

/** The form of values of a connection, and when its changes settle. */
export interface PageSettings<Value, Input> {
  readonly values: Values<Value, Input>;
  readonly durability: Durability;
}

/** Milliseconds for which eventual changes wait for others. */
const WINDOW = 25;

/** The work of a transaction. */
export type Work<T> = (run: RunMutation, show: ShowChanged) => Promise<T>;

/**
 * Runs operations one after another, in the order of the calls. While the work of a transaction runs, other changes
 * wait until the transaction has ended; reads do not wait.
 */
export class Connection {
  /** The owner of calls to the sources of streamed values: see {@link within}. */
  readonly valueSource = {};
  /** The owner of calls to the listeners of watchers. */
  readonly watcherCall = {};
  readonly #page: SharedPage;
  readonly #storage: PageStorage;
  readonly #watching: Watching;
  readonly #name: string;
  readonly #branch: Branch;
  readonly #turns = new Turns();
  readonly #durability: Durability;
  /**
   * The changes that later changes may join: the last operation of the queue, or eventual changes that are not in it
   * yet.
   */
  #bundle: Bundle | undefined;
  readonly #window = new Timer(() => this.#endBundle());
  /** The error of an eventual change, until it is reported. */
  #failure: { readonly error: unknown } | undefined;
  /** The transaction whose work runs. */
  #working: Transaction | undefined;
  /** True if notifications are held back, because a transaction begins or runs. */
  #isQuiet = false;
  /** True if the head has moved while notifications were held back. */
  #hasMoved = false;
  #closing: Promise<void> | undefined;
  /** The last notification. It may wait for the commit that the connection shows. */
  #notifying: Promise<void> = Promise.resolve();
  #notifications = 0;

  constructor(page: SharedPage, head: Commit, watching: Watching, durability: Durability) {
    this.#durability = durability;
    this.#page = page;
    this.#storage = page.storage;
    this.#name = toHex(page.id);
    this.#watching = watching;
    this.#branch = new Branch(page.storage, head, () => this.notify());
  }

  /** Reads: passes the commit that reads see to a function, which must hold it. */
  show<T>(use: (commit: Commit) => T): Promise<T> {
    return this.read(() => this.#shown(use));
  }

  #shown<T>(use: (commit: Commit) => T): Promise<T> {
    return this.#page.shown(this.#branch.head, this.#branch.heads, use);
  }

  /** Settles when the watchers know of all earlier commits. */
  notified(): Promise<void> {
    return this.#notifying;
  }

  /** @throws MerostoreError CLOSED as soon as closing has begun */
  check(): void {
    if (this.#closing !== undefined) throw this.#closed();
  }

  /** Runs an operation that changes nothing. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    this.check();
    // The source of a value runs during the turn of its put.
    if (isWithin(this.valueSource)) return work();
    this.#endBundle();
    return this.#turns.step(work);
  }

  /**
   * Runs a mutation, in a commit with the other changes that wait for the same turn.
   *
   * @param bytes the size of the value; undefined makes the mutation a commit of its own, so that no other change waits
   * for it
   */
  async change(mutation: Mutation, bytes: number | undefined): Promise<void> {
    this.#checkFree();
    this.#throwFailure();
    const isAlone = bytes === undefined;
    if (isAlone) this.#endBundle();
    const bundle = this.#joined();
    const settled = bundle.add(mutation, bytes ?? 0);
    if (isAlone || this.#durability === "immediate") {
      if (isAlone) this.#endBundle();
      else this.#queue(bundle);
      return settled;
    }
    const stored = this.#noted(settled);
    if (bundle.isFull) {
      this.#endBundle();
      await stored;
      this.#throwFailure();
    } else if (!this.#window.isRunning) this.#window.start(WINDOW, true);
  }

  /** Settles when all earlier changes are on disk. */
  async flush(): Promise<void> {
    this.#checkFree();
    const stored = this.#noted(this.#joined().add(async () => undefined, 0));
    this.#endBundle();
    await stored;
    this.#throwFailure();
  }

  /** Keeps the error of a change until it is reported. */
  #noted(settled: Promise<void>): Promise<void> {
    return settled.catch((error) => {
      this.#failure ??= { error };
    });
  }

  /** Ends the bundle: no change joins it any more. */
  #endBundle(): void {
    this.#window.stop();
    if (this.#bundle !== undefined) this.#queue(this.#bundle);
    this.#bundle = undefined;
  }

  #queue(bundle: Bundle): void {
    if (bundle.isQueued) return;
    bundle.isQueued = true;
    const run = (): Promise<void> => this.#runBundle(bundle);
    void (bundle.isUrgent ? this.#turns.step(run) : this.#turns.change(run));
  }

  /** @throws the error of an eventual change that was not reported yet */
  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  async #runBundle(bundle: Bundle): Promise<void> {
    if (this.#bundle === bundle) this.#bundle = undefined;
    try {
      // Commits of others do not move the head until the transaction ends.
      this.#branch.pin();
      const transaction = new Transaction(this.#storage);
      await bundle.run(transaction);
      if (bundle.isEmpty) this.#end(transaction);
      else await this.#commit(transaction);
      bundle.resolve();
    } catch (error) {
      bundle.reject(error);
    }
  }

  /** Runs work as a transaction. Only the mutations that the work passes to `run` belong to it. */
  async transaction<T>(work: Work<T>): Promise<T> {
    this.#checkFree();
    this.#checkNoListener();
    this.#throwFailure();
    this.#endBundle();
    return this.#turns.alone(() => this.#transact(work));
  }

  /** Rolls back the open transaction, runs the earlier operations, then calls `finish`. */
  close(finish: () => Promise<void>): Promise<void> {
    if (this.#closing === undefined && isWithin(this.valueSource))
      return Promise.reject(
        illegalState("the source of a value cannot close the page: the page waits for the source"),
      );
    this.#closing ??= this.#close(finish);
    return this.#closing;
  }

  async #close(finish: () => Promise<void>): Promise<void> {
    this.#endBundle();
    const rollback = this.#turns.step(async () => {
      if (this.#working !== undefined) this.#end(this.#working);
    });
    this.#turns.free();
    const close = this.#turns.step(async () => {
      this.#watching.close();
      this.#branch.close();
      await finish();
    });
    await Promise.all([rollback, close]);
    this.#throwFailure();
  }

  /**
   * The bundle that a change joins. The bundle of a listener's changes is urgent: a transaction that begins waits for
   * the listeners, so they must not wait for it.
   */
  #joined(): Bundle {
    const isUrgent = this.#working === undefined && isWithin(this.watcherCall);
    if (this.#bundle?.isUrgent !== isUrgent) this.#endBundle();
    this.#bundle ??= new Bundle(isUrgent);
    return this.#bundle;
  }

  async #transact<T>(work: Work<T>): Promise<T> {
    await this.#turns.step(async () => {
      this.check();
      this.#isQuiet = true;
    });
    try {
      await this.#watching.idle();
      // No listener runs now, except listeners of closed watchers, for which nothing waits.
      const transaction = new Transaction(this.#storage);
      this.#working = transaction;
      await this.#turns.step(async () => {
        this.check();
        this.#branch.pin();
      });
      return await this.#runWork(transaction, work);
    } finally {
      this.#working = undefined;
      this.#isQuiet = false;
      if (this.#hasMoved) this.notify();
    }
  }

  async #runWork<T>(transaction: Transaction, work: Work<T>): Promise<T> {
    let isOpen = true;
    const check = (): void => {
      this.check();
      if (!isOpen) throw illegalState("the transaction has ended: use its handle only while the work runs");
    };
    const step = <R>(act: () => Promise<R>): Promise<R> =>
      this.#turns.step(async () => {
        if (transaction.hasEnded) throw this.#closed();
        return act();
      });
    const run: RunMutation = async (mutation) => {
      check();
      this.#checkNoSource();
      await step(() => mutation(transaction));
    };
    const show: ShowChanged = async (key, use) => {
      check();
      const read = async () => {
        const changes = await transaction.storedChanges(key);
        return this.#shown((commit) => use(commit, changes));
      };
      // The source of a value runs during the turn of its put.
      return isWithin(this.valueSource) ? read() : step(read);
    };
    try {
      const result = await within(transaction, () => work(run, show));
      isOpen = false;
      await this.#turns.step(() => this.#commit(transaction));
      return result;
    } catch (error) {
      isOpen = false;
      await this.#turns.step(async () => this.#end(transaction));
      throw error;
    }
  }

  async #commit(transaction: Transaction): Promise<void> {
    if (transaction.hasEnded) throw this.#closed();
    let commit: Commit | undefined;
    try {
      const changes = transaction.journal.contents;
      const { head, heads } = this.#branch;
      const parent = await this.#page.parentOf(head, heads, changes);
      // The last one wins, so the commit must be later than the newest head.
      commit = await this.#storage.commit([parent], changes, heads.at(-1)?.timestamp);
    } finally {
      this.#end(transaction, commit);
    }
  }

  /** Ends a transaction. A second call does nothing. */
  #end(transaction: Transaction, commit?: Commit): void {
    if (transaction.hasEnded) return;
    this.#branch.unpin(commit);
    transaction.end(commit !== undefined);
  }

  /** Notifies the watchers of the commit that the connection shows now. */
  notify(): void {
    this.#hasMoved = this.#isQuiet;
    if (this.#isQuiet || this.#watching.size === 0) return;
    const number = ++this.#notifications;
    // A later notification replaces one that still waits.
    this.#notifying = this.#shown((commit) => {
      if (number === this.#notifications) this.#watching.notify(commit);
    }).catch((error) => {
      if (number === this.#notifications) this.#watching.close({ error });
    });
  }

  /** Throws if the connection is closed, or if a change would wait for its own caller. */
  #checkFree(): void {
    this.check();
    this.#page.checkNotResolving();
    this.#checkNoSource();
    if (this.#working !== undefined && isWithin(this.#working))
      throw illegalState(
        "the work of a transaction must make its changes through the handle that it was given",
      );
  }

  #checkNoSource(): void {
    if (isWithin(this.valueSource))
      throw illegalState("the source of a value cannot change the page: the page waits for the source");
  }

  #checkNoListener(): void {
    this.check();
    if (isWithin(this.watcherCall))
      throw illegalState(
        "a listener cannot begin a transaction of its own connection: the transaction waits for the listener",
      );
  }

  #closed(): MerostoreError {
    return new MerostoreError("CLOSED", `the page ${this.#name} is closed`);
  }
}
