/** Brings the heads of a page together, one pair after another, until there is one. */
import { isMerostoreError, MerostoreError } from "../../errors.js";
import type { Commit } from "../storage/commit.js";
import { type Mergeable, mergeCommits, ResolverFailure } from "./merge.js";
import type { PagePolicy, Resolvers } from "./resolver.js";

/** Milliseconds until a merge is tried again, doubled each time. */
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
  #failure: unknown;
  /** Those who wait until there is one head. */
  #waiting: { resolve(): void; reject(reason: unknown): void }[] = [];

  constructor(page: Mergeable & { readonly id: Uint8Array }, resolvers: Resolvers) {
    this.#page = page;
    this.#resolvers = resolvers;
    this.#ends = [page.storage.onCommits(() => this.#wake()), resolvers.onAdded(() => this.#wake())];
    this.#wake();
  }

  /**
   * Settles when the page has one head: whether there were others.
   * @throws what keeps heads from being merged; CLOSED
   */
  async idle(): Promise<"no-conflicts" | "conflicts-resolved"> {
    if (this.#heads === 1) return "no-conflicts";
    if (this.#failure !== undefined) throw this.#failure;
    this.#timer?.ref(); // whoever waits keeps the process running until the next try
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    return "conflicts-resolved";
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const end of this.#ends) end();
    clearTimeout(this.#timer);
    this.#settle(new MerostoreError("CLOSED", "the page is closed"));
    await this.#running;
  }

  get #heads(): number {
    return this.#page.storage.heads.length;
  }

  #wake(): void {
    if (this.#closed) return;
    if (this.#heads === 1) this.#settle();
    else this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // it may end without waiting for anything, and must not before it is known to run
    clearTimeout(this.#timer);
    this.#failure = undefined;
    try {
      while (this.#heads > 1 && !this.#closed) {
        const policy = this.#policy ?? this.#resolvers.policyOf(this.#page.id);
        if (policy === undefined) break;
        this.#policy = await policy;
        if (!(await this.#mergeOne(this.#policy))) break;
      }
    } catch (error) {
      this.#failure = error;
      this.#settle(error);
    }
    this.#running = undefined;
    if (this.#heads === 1) this.#settle();
  }

  /** Merges the oldest head with the first other one with which that is possible; false if there is none now. */
  #mergeOne(policy: PagePolicy): Promise<boolean> {
    return this.#page.storage.withHeads(([first, ...others]) =>
      this.#mergeWithOne(policy, first as Commit, others),
    );
  }

  async #mergeWithOne(policy: PagePolicy, first: Commit, others: readonly Commit[]): Promise<boolean> {
    for (const other of others) {
      if (await this.#mustWait(first, other)) return this.#later();
      try {
        await mergeCommits(this.#page, policy, first, other);
        this.#delay = FIRST_DELAY;
        this.#timer = undefined;
        return true;
      } catch (error) {
        if (error instanceof ResolverFailure) return this.#later();
        if (!isMerostoreError(error, "NETWORK_ERROR")) throw error;
      }
    }
    return others.length === 0 || this.#later();
  }

  /** Merges of merges that others have made are put off: they may be about to make the same. */
  async #mustWait(a: Commit, b: Commit): Promise<boolean> {
    if (a.parents.length < 2 || b.parents.length < 2 || this.#timer !== undefined) return false;
    const { commits } = this.#page.storage;
    return !(await commits.isUnsynced(a.id)) && !(await commits.isUnsynced(b.id));
  }

  /** Tries again after a while. */
  #later(): false {
    this.#timer = setTimeout(() => this.#wake(), this.#delay);
    if (this.#waiting.length === 0) this.#timer.unref();
    this.#delay = Math.min(2 * this.#delay, LAST_DELAY);
    return false;
  }

  #settle(failure?: unknown): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve, reject } of waiting) {
      if (failure === undefined) resolve();
      else reject(failure);
    }
  }
}
