/**
 * Merges the heads of a page, one pair after another, until there is one head. If the cloud tells how long a round trip
 * takes, heads are merged after a round trip without changes: all devices then have the same heads, and make the same
 * merges. Until then the page shows the merge without storing it. A change that depends on the merge stores it first.
 */
import {
  copyBytes,
  equalBytes,
  illegalState,
  isMerostoreError,
  MerostoreError,
  toHex,
} from "merostore/internal";
import { isWithin, outside, within } from "../callbacks.js";
import type { Commit } from "../storage/commit.js";
import type { Head } from "../storage/commit-store.js";
import type { ChangeSet } from "../storage/journal.js";
import { atMost, CLOSING, Timer } from "../timer.js";
import type { Conflict, MergedPage } from "./conflict.js";
import { mergeAll, mergeCommits, ResolverFailure } from "./merge.js";
import { type ConflictResolver, checkPolicy, type PagePolicy, type Resolvers } from "./resolver.js";
import { areEqualAt, type View, Views } from "./views.js";

/** Milliseconds until a failed merge is tried again, doubled each time. */
const FIRST_DELAY = 10;
const LAST_DELAY = 3_600_000;
/** Round trips after which heads are merged while commits come; a random factor (1 to 2) lets one device be first. */
const MOST_ROUND_TRIPS = 8;
/** Bytes of tree nodes in memory above which heads are merged at once. */
const MOST_BYTES = 16 << 20;

/** Ends the call of a resolver that was removed. */
const REMOVED = Symbol("removed");

/** The connection to the cloud, as merging uses it. */
export interface MergerCloud {
  /** Milliseconds until others have answered; undefined if commits come at once. */
  readonly roundTrip?: number | undefined;
  /** Downloads the uploads of others. */
  refresh?(): Promise<unknown>;
}

export class Merger {
  readonly #id: Uint8Array;
  readonly #page: MergedPage;
  readonly #resolvers: Resolvers;
  readonly #cloud: MergerCloud;
  readonly #views: Views;
  readonly #ends: (() => void)[];
  #policy: PagePolicy | undefined;
  /** The policy for showing heads that are not merged yet; undefined if only the program can merge them. */
  #shown: PagePolicy | undefined;
  #running: Promise<void> | undefined;
  readonly #timer = new Timer(() => this.#wake());
  /** A timer was set since the last merge. */
  #isPostponed = false;
  #delay = FIRST_DELAY;
  /** The time of the last commit other than a merge. */
  #changedAt = performance.now();
  /** When heads are merged at the latest. */
  #latest = Number.POSITIVE_INFINITY;
  #closed = false;
  /** The error of the last attempt, and whether a caller of `idle` has received it. */
  #failure: { readonly reason: unknown; isReported: boolean } | undefined;
  /** The resolver that is to return the page's policy. */
  #asked: ConflictResolver | undefined;
  /** Rejects the call of the program's resolver that is running. */
  #abandon: ((reason: unknown) => void) | undefined;
  /** Ends the wait for the uploads of others. */
  #endRefresh: (() => void) | undefined;
  /** Settles when the heads of the opening are merged, or when their merge waits for the program or the cloud. */
  readonly begun: Promise<void>;
  #begin: () => void = () => undefined;
  /** {@link begun} has settled. */
  #isBegun = false;
  /** The calls of `idle` that wait until there is one head. */
  #waiting: { resolve(): void; reject(reason: unknown): void }[] = [];

  constructor(id: Uint8Array, page: MergedPage, resolvers: Resolvers, cloud: MergerCloud) {
    this.#id = id;
    this.#page = page;
    this.#resolvers = resolvers;
    this.#cloud = cloud;
    this.#views = new Views(page);
    this.begun = new Promise((resolve) => {
      this.#begin = () => {
        this.#isBegun = true;
        resolve();
      };
    });
    this.#ends = [
      page.storage.heads.onCommits((commits) => {
        // New changes end a series of merges of merges.
        if (commits.some(({ parents }) => parents.length === 1)) {
          this.#delay = FIRST_DELAY;
          this.#changedAt = performance.now();
        }
        // A merge of another device leaves fewer heads, so the deadline starts again.
        if (commits.some(({ parents }) => parents.length > 1)) this.#latest = Number.POSITIVE_INFINITY;
        this.#wake();
      }),
      resolvers.onChanged(() => {
        // A removed resolver may never answer.
        if (this.#asked !== undefined && this.#asked !== resolvers.current) this.#abandon?.(REMOVED);
        this.#wake();
      }),
    ];
    this.#wake();
  }

  /**
   * Settles when the page has one head, and returns whether there were others. Starts another attempt if the last one
   * failed and its error was reported.
   *
   * @throws the error of an attempt; CLOSED; ILLEGAL_STATE if a conflict resolver of the page calls it
   */
  async idle(): Promise<"no-conflicts" | "conflicts-resolved"> {
    if (this.#heads === 1) return "no-conflicts";
    if (isWithin(this))
      throw illegalState("a conflict resolver cannot wait until its own conflict is resolved");
    if (this.#failure?.isReported === false) {
      this.#failure.isReported = true;
      throw this.#failure.reason;
    }
    const settled = new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#endRefresh?.();
    if (this.#failure !== undefined || this.#cloud.roundTrip !== undefined) this.#wake();
    this.#timer.keepRunning(); // keeps the process running until the next attempt
    await settled;
    return "conflicts-resolved";
  }

  /**
   * Refuses changes in a conflict resolver of the page: each would be merged again, for ever.
   * @throws MerostoreError ILLEGAL_STATE
   */
  checkNotResolving(): void {
    if (!isWithin(this)) return;
    throw illegalState(
      "a conflict resolver cannot change its own page: it passes what it wants to conflict.merge",
    );
  }

  /** Waits for a merge that is being stored, not for the program's resolver, and not long for a silent cloud. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#ends) end();
    this.#timer.stop();
    this.#settle({ reason: closed() });
    this.#abandon?.(closed());
    this.#endRefresh?.();
    await atMost(CLOSING, this.ended);
  }

  /** Settles after closing, when no merge is being stored any more. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  /**
   * Passes the commit that a connection shows to a function, which must hold it: the connection's own commit, or the
   * merge of all heads while merging is postponed.
   *
   * @param heads the heads that the connection knows
   */
  async shown<T>(own: Commit, heads: readonly Head[], use: (commit: Commit) => T): Promise<T> {
    return this.#viewed(own, heads, (view) => use(view?.commit ?? own));
  }

  /**
   * Returns the commit that a change follows: the connection's own, or the merge of all heads. Stores the merge, unless
   * the change has the same effect after the connection's own commit.
   */
  async parentOf(own: Commit, heads: readonly Head[], changes: ChangeSet): Promise<Commit> {
    if (!changes.clear && changes.changes.length === 0) return own; // nothing is stored
    const { storage } = this.#page;
    const policy = this.#shown as PagePolicy;
    const keys = changes.changes.map(({ key }) => key);
    const shown = await this.#viewed(own, heads, async (view) => {
      if (view === undefined) return undefined;
      const isSame = !changes.clear && (await areEqualAt(storage, [own, view.commit], keys));
      return { root: view.commit.root.digest, isSame };
    });
    if (shown === undefined) return own;
    if (shown.isSame && policy.policy !== "automatic-with-fallback") {
      // The change makes its head the newest one, so the heads may merge in another order.
      const { commit, contested } = (await this.#views.withNewest(own, heads, policy)) ?? {};
      const isShown = commit !== undefined && equalBytes(commit.root.digest, shown.root);
      if (isShown && contested !== undefined && !keys.some((key) => contested.has(toHex(key)))) return own;
    }
    const commits = await Promise.all(heads.map((head) => storage.commits.ofHead(head)));
    return mergeAll(commits, (a, b) => mergeCommits(this.#page, this.#policy as PagePolicy, a, b));
  }

  /** Passes the merge of heads to a function; undefined if the connection shows its own commit. */
  async #viewed<T>(
    own: Commit,
    heads: readonly Head[],
    use: (view: View | undefined) => T | Promise<T>,
  ): Promise<T> {
    const policy = this.#shown;
    const isPostponed = !this.#isBegun || this.#isPostponed || this.#cloud.roundTrip !== undefined;
    if (heads.length < 2 || !isPostponed || policy === undefined) return use(undefined);
    if (!heads.some(({ id }) => equalBytes(id, own.id))) return use(undefined);
    return this.#views.use(heads, policy, use);
  }

  get #heads(): number {
    return this.#page.storage.heads.all.length;
  }

  #wake(): void {
    if (this.#closed) return;
    if (this.#heads > 1) this.#running ??= this.#run();
    else this.#agree();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // #running is set before this can end
    this.#timer.stop();
    this.#failure = undefined;
    let isDue = false;
    try {
      while (this.#heads > 1 && !this.#closed) {
        const resolver = this.#resolvers.current;
        if (this.#policy === undefined && resolver === undefined) break;
        if (this.#policy === undefined) {
          this.#policy = await this.#policyOf(resolver as ConflictResolver);
          if (this.#policy === undefined) continue;
          this.#page.onPolicy();
        }
        isDue ||= await this.#isDue();
        if (!isDue || !(await this.#mergeOne(this.#policy))) break;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
    this.#begin();
    if (this.#heads === 1) this.#agree();
  }

  /** There is one head. */
  #agree(): void {
    this.#latest = Number.POSITIVE_INFINITY;
    this.#views.clear();
    this.#begin();
    this.#settle();
  }

  /** Returns whether to merge now. Otherwise sets the timer. */
  async #isDue(): Promise<boolean> {
    const left = this.#untilDue();
    if (left > 0) return this.#wakeAfter(left);
    if (this.#cloud.roundTrip === undefined || this.#waiting.length > 0) return true;
    // Commits of others since the last look belong to the same merge.
    await this.#refresh();
    if (this.#closed) return false;
    const again = this.#untilDue();
    return again <= 0 || this.#wakeAfter(again);
  }

  /** Downloads the uploads of others. Stops waiting when a caller waits for the merge, or when the page closes. */
  async #refresh(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#endRefresh = resolve;
    });
    const refreshed = async (): Promise<unknown> => this.#cloud.refresh?.();
    await Promise.race([refreshed().catch(() => undefined), ended]);
    this.#endRefresh = undefined;
  }

  /**
   * Milliseconds until the heads are to be merged: after a round trip without a change, or at the latest time. 0 if a
   * caller waits or the views are large.
   */
  #untilDue(): number {
    const { roundTrip } = this.#cloud;
    if (roundTrip === undefined || this.#waiting.length > 0 || this.#views.bytes > MOST_BYTES) return 0;
    const now = performance.now();
    if (this.#latest === Number.POSITIVE_INFINITY)
      this.#latest = now + roundTrip * MOST_ROUND_TRIPS * (1 + Math.random());
    return Math.min(this.#changedAt + roundTrip, this.#latest) - now;
  }

  /** Asks for the policy of the page; undefined if the resolver was removed before it answered. */
  async #policyOf(resolver: ConflictResolver): Promise<PagePolicy | undefined> {
    // A resolver may wait for the opening of its own page.
    const timer = new Timer(this.#begin);
    timer.start(0, true);
    this.#asked = resolver;
    const answer = this.#ask(() => resolver(copyBytes(this.#id))).catch((reason: unknown) => {
      if (reason !== REMOVED) throw reason;
      return REMOVED;
    });
    const given = await answer.finally(() => {
      this.#asked = undefined;
      timer.stop();
    });
    if (typeof given === "symbol") return undefined;
    const policy = checkPolicy(given);
    this.#shown = policy.policy === "custom" && policy.isPure !== true ? undefined : policy;
    if (policy.policy === "last-one-wins") return policy;
    const resolve = (conflict: Conflict): Promise<void> => {
      if (policy.isPure !== true) this.#begin();
      return this.#ask(() => policy.resolve(conflict));
    };
    return { policy: policy.policy, resolve };
  }

  /** Calls the program's resolver. Rejects with CLOSED when the page closes meanwhile. */
  async #ask<T>(callback: () => T | Promise<T>): Promise<T> {
    try {
      return await new Promise<T>((resolve, reject) => {
        if (this.#closed) return reject(closed());
        this.#abandon = reject;
        outside(() => within(this, callback)).then(resolve, reject);
      });
    } finally {
      this.#abandon = undefined;
    }
  }

  #fail(reason: unknown, isReported = this.#waiting.length > 0): void {
    if (this.#closed) return;
    this.#failure = { reason, isReported };
    this.#settle(this.#failure);
  }

  /**
   * Merges the oldest head with the first other head that it can be merged with; returns false if no two heads can be
   * merged now.
   */
  #mergeOne(policy: PagePolicy): Promise<boolean> {
    return this.#page.storage.heads.withCommits(([first, ...others]) =>
      this.#mergeWithOne(policy, first as Commit, others),
    );
  }

  async #mergeWithOne(policy: PagePolicy, first: Commit, others: readonly Commit[]): Promise<boolean> {
    let failure: unknown;
    for (const other of others) {
      if (await this.#mustPostpone(first, other)) return this.#retryLater();
      try {
        await mergeCommits(this.#page, policy, first, other);
        // Devices that merge each other's merges wait longer each time. Otherwise they might never agree.
        if (!areMerges(first, other)) this.#delay = FIRST_DELAY;
        this.#isPostponed = false;
        return true;
      } catch (error) {
        if (error instanceof ResolverFailure) {
          this.#fail(error.cause);
          return this.#retryLater();
        }
        if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
        failure = error;
      }
    }
    if (failure === undefined) return true;
    // The cloud may be reachable by then: the next call tries again before it fails.
    this.#fail(failure, true);
    return this.#retryLater();
  }

  /**
   * Returns whether to postpone a merge: both commits are merges of other devices, which may be making the same merge.
   */
  async #mustPostpone(a: Commit, b: Commit): Promise<boolean> {
    if (this.#cloud.roundTrip !== undefined || !areMerges(a, b) || this.#isPostponed) return false;
    const { commits } = this.#page.storage;
    return !(await commits.isUnsynced(a.id)) && !(await commits.isUnsynced(b.id));
  }

  /** Starts another attempt after a delay. */
  #retryLater(): false {
    // Devices wait for different times, so that one merges first and the others take its merge.
    this.#wakeAfter(this.#delay * (0.5 + Math.random()));
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    return false;
  }

  #wakeAfter(milliseconds: number): false {
    if (this.#closed) return false;
    this.#isPostponed = true;
    this.#timer.start(Math.min(milliseconds, LAST_DELAY), this.#waiting.length > 0);
    return false;
  }

  #settle(failure?: { readonly reason: unknown }): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve, reject } of waiting) {
      if (failure === undefined) resolve();
      else reject(failure.reason);
    }
  }
}

function areMerges(a: Commit, b: Commit): boolean {
  return a.parents.length > 1 && b.parents.length > 1;
}

function closed(): MerostoreError {
  return new MerostoreError("CLOSED", "the page is closed");
}
