/** Merges the heads of a page, one pair after another, until there is one head. */
import { copyBytes, isMerostoreError, MerostoreError } from "merostore/internal";
import { isWithin, outside, within } from "../callbacks/listeners.js";
import type { Commit } from "../storage/commit.js";
import { type Mergeable, mergeCommits, ResolverFailure } from "./merge.js";
import { type ConflictResolver, checkPolicy, type PagePolicy, type Resolvers } from "./resolver.js";

/** Milliseconds until a failed merge is tried again, doubled each time. */
const FIRST_DELAY = 10;
const LAST_DELAY = 3_600_000;

export class Merger {
  readonly #page: Mergeable & { readonly id: Uint8Array };
  readonly #resolvers: Resolvers;
  readonly #ends: (() => void)[];
  #policy: PagePolicy | undefined;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delay = FIRST_DELAY;
  #closed = false;
  /** The error of the last attempt, and whether a caller of `idle` has received it. */
  #failure: { readonly reason: unknown; isReported: boolean } | undefined;
  /** Rejects the call of the program's resolver that is running. */
  #abandon: ((reason: unknown) => void) | undefined;
  /** The calls of `idle` that wait until there is one head. */
  #waiting: { resolve(): void; reject(reason: unknown): void }[] = [];

  constructor(page: Mergeable & { readonly id: Uint8Array }, resolvers: Resolvers) {
    this.#page = page;
    this.#resolvers = resolvers;
    this.#ends = [
      page.storage.heads.onCommits((commits) => {
        // New changes end a series of merges of merges.
        if (commits.some(({ parents }) => parents.length === 1)) this.#delay = FIRST_DELAY;
        this.#wake();
      }),
      resolvers.onAdded(() => this.#wake()),
    ];
    this.#wake();
  }

  /**
   * Settles when the page has one head, and returns whether there were others. Starts another attempt if the last one failed
   * and its error was reported.
   *
   * @throws the error of an attempt; CLOSED; ILLEGAL_STATE if a conflict resolver of the page calls it
   */
  async idle(): Promise<"no-conflicts" | "conflicts-resolved"> {
    if (this.#heads === 1) return "no-conflicts";
    if (isWithin(this))
      throw new MerostoreError(
        "ILLEGAL_STATE",
        "a conflict resolver cannot wait until its own conflict is resolved",
      );
    if (this.#failure?.isReported === false) {
      this.#failure.isReported = true;
      throw this.#failure.reason;
    }
    if (this.#failure !== undefined) this.#wake();
    this.#timer?.ref(); // keeps the process running until the next attempt
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    return "conflicts-resolved";
  }

  /** Waits for a merge that is being stored, but not for the program's resolver. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#ends) end();
    clearTimeout(this.#timer);
    this.#settle({ reason: closed() });
    this.#abandon?.(closed());
    await this.#running;
  }

  get #heads(): number {
    return this.#page.storage.heads.all.length;
  }

  #wake(): void {
    if (this.#closed) return;
    if (this.#heads === 1) this.#settle();
    else this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // #running is set before this can end
    clearTimeout(this.#timer);
    this.#failure = undefined;
    try {
      while (this.#heads > 1 && !this.#closed) {
        const resolver = this.#resolvers.current;
        if (this.#policy === undefined && resolver === undefined) break;
        this.#policy ??= await this.#policyOf(resolver as ConflictResolver);
        if (!(await this.#mergeOne(this.#policy))) break;
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
    if (this.#heads === 1) this.#settle();
  }

  async #policyOf(resolver: ConflictResolver): Promise<PagePolicy> {
    const policy = checkPolicy(await this.#ask(() => resolver(copyBytes(this.#page.id))));
    if (policy.policy === "last-one-wins") return policy;
    return { policy: policy.policy, resolve: (conflict) => this.#ask(() => policy.resolve(conflict)) };
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

  #fail(reason: unknown): void {
    if (this.#closed) return;
    this.#failure = { reason, isReported: this.#waiting.length > 0 };
    this.#settle(this.#failure);
  }

  /** Merges the oldest head with the first other head that it can be merged with; returns false if no two heads can be merged now. */
  #mergeOne(policy: PagePolicy): Promise<boolean> {
    return this.#page.storage.heads.withCommits(([first, ...others]) =>
      this.#mergeWithOne(policy, first as Commit, others),
    );
  }

  async #mergeWithOne(policy: PagePolicy, first: Commit, others: readonly Commit[]): Promise<boolean> {
    for (const other of others) {
      if (await this.#mustPostpone(first, other)) return this.#retryLater();
      try {
        await mergeCommits(this.#page, policy, first, other);
        // Devices that merge each other's merges wait longer each time. Otherwise they might never agree.
        if (!areMerges(first, other)) this.#delay = FIRST_DELAY;
        this.#timer = undefined;
        return true;
      } catch (error) {
        if (error instanceof ResolverFailure) {
          this.#fail(error.cause);
          return this.#retryLater();
        }
        if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
      }
    }
    return others.length === 0 || this.#retryLater();
  }

  /** Returns whether to postpone a merge: both commits are merges of other devices, which may be making the same merge. */
  async #mustPostpone(a: Commit, b: Commit): Promise<boolean> {
    if (!areMerges(a, b) || this.#timer !== undefined) return false;
    const { commits } = this.#page.storage;
    return !(await commits.isUnsynced(a.id)) && !(await commits.isUnsynced(b.id));
  }

  /** Starts another attempt after a delay. */
  #retryLater(): false {
    if (this.#closed) return false;
    // Devices wait for different times, so that one merges first and the others take its merge.
    this.#timer = setTimeout(() => this.#wake(), this.#delay * (0.5 + Math.random()));
    if (this.#waiting.length === 0) this.#timer.unref();
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
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
