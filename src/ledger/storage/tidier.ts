/** Removes in the background what a page needs no more. */
import type { WriteOperation } from "../../engine/engine.js";
import type { ObjectDigest } from "../objects/digest.js";
import type { PieceStatus } from "../rows/page-rows.js";
import { type Collected, Collector, OPERATIONS } from "./collector.js";
import type { Commit } from "./commit.js";
import { History } from "./history.js";
import type { Release } from "./live.js";
import { Pauses } from "./pauses.js";
import { storedCommits, unreferencedPieces } from "./sweep.js";

/**
 * What of a page's objects is removed when nothing refers to it any more: nothing; the trees of commits that are removed;
 * besides, values that were given up before a commit had them.
 */
export type CollectionPolicy = "never" | "eager-root-nodes" | "eager-live-references";

/** What tidying needs of a page's storage. */
export interface Tidied extends Collected {
  readonly options: { readonly prune: boolean; readonly collection: CollectionPolicy };
  isHead(id: Uint8Array): boolean;
  /** Runs work while nothing else writes. */
  exclusively<T>(
    work: (write: (operations: readonly WriteOperation[]) => Promise<void>) => Promise<T>,
  ): Promise<T>;
}

/** Milliseconds between two reads of the sweep, so that it takes little from others. */
const SWEEP_PAUSE = 10;

/** For so many operations of a great commit there is one step: some steps reach their number of looks first. */
const WORKED_OFF = OPERATIONS / 4;

/** The statuses of pieces that are swept. No commit has used a transient piece. */
const SWEPT: Readonly<Record<CollectionPolicy, readonly PieceStatus[]>> = {
  never: [],
  "eager-root-nodes": ["local", "synced"],
  "eager-live-references": ["transient", "local", "synced"],
};

/**
 * Removes commits that nothing needs and pieces that nothing refers to, step by step: a write waits for one step at most.
 * After the opening it sweeps what the process before has left, when it was killed or closed before all was removed.
 */
export class Tidier {
  readonly #page: Tidied;
  readonly #collector: Collector;
  readonly #pauses = new Pauses();
  #history: History | undefined;
  /** Whether there is something to look at. */
  #wanted = false;
  #running: Promise<void> | undefined;
  readonly #sweeping: Promise<void>;
  /** Those who use pieces that nothing refers to yet. */
  #users = 0;
  #closed = false;

  constructor(page: Tidied) {
    this.#page = page;
    this.#collector = new Collector(page, page.options.collection !== "never");
    this.#sweeping = this.#sweep().catch(() => undefined); // what is left is found after the next opening
  }

  /** A commit was stored. Nothing else is written meanwhile. */
  addCommit(commit: Commit): void {
    this.#history?.add(commit);
  }

  /** Looks for what can go now, as soon as what is being written is written. */
  wake(): void {
    if (this.#closed) return;
    this.#wanted = true;
    this.#running ??= this.#run();
  }

  /**
   * Removes about as much as a commit has written, where there is so much to remove: many great commits one after another
   * would leave more behind than is removed between them. A small one waits for nothing.
   */
  async workOff(written: number): Promise<void> {
    this.wake();
    try {
      for (let left = written - OPERATIONS; left > 0; left -= WORKED_OFF)
        if (!(await this.#stepAwaited())) return;
    } catch {
      // As in the background: the commit stands.
    }
  }

  /** Takes objects that were given up. They are removed, if that is the policy, unless something refers to them. */
  drop(digests: readonly ObjectDigest[]): void {
    if (this.#page.options.collection !== "eager-live-references" || digests.length === 0) return;
    this.#collector.addPieces(digests);
    this.wake();
  }

  /** An object that nobody holds any more goes if it would have gone before. */
  free(digest: ObjectDigest): void {
    this.#collector.addFreed(digest);
    if (!this.#collector.isIdle) this.wake();
  }

  /** From when this settles until the release nothing is removed: for work with pieces that nothing refers to yet. */
  async pause(): Promise<Release> {
    this.#users++;
    await this.#page.exclusively(async () => undefined);
    let paused = true;
    return () => {
      if (!paused) return;
      paused = false;
      if (--this.#users === 0) this.wake();
    };
  }

  /** Settles when everything is removed that can go now, what was left before the opening included. */
  async tidy(): Promise<void> {
    await this.#sweeping;
    while (await this.#stepAwaited());
  }

  /** Stops, after a last step where there is something to remove. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#pauses.end();
    await this.#running;
    await this.#sweeping;
  }

  async #run(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const isLast = this.#closed;
      try {
        if (await this.#page.exclusively((write) => this.#step(write))) this.#wanted = true;
      } catch {
        // What cannot be removed now is tried again after the next commit.
      }
      if (isLast) break;
      if (this.#wanted) await this.#pauses.wait(0);
    }
    this.#running = undefined;
  }

  /** A step that somebody waits for; afterwards everything else has its turn, also over a database in memory. */
  async #stepAwaited(): Promise<boolean> {
    const isMore = await this.#page.exclusively((write) => this.#step(write));
    await new Promise((resolve) => setImmediate(resolve));
    return isMore;
  }

  /** Removes some of what can go; false if nothing is left. */
  async #step(write: (operations: readonly WriteOperation[]) => Promise<void>): Promise<boolean> {
    if (this.#users > 0) return false;
    if (this.#page.options.prune) {
      const history = await this.#loadHistory();
      const { liveCommits } = this.#page;
      this.#collector.addCommits(history.advance((id) => this.#page.isHead(id) || liveCommits.has(id)));
    }
    await this.#collector.step(write);
    return !this.#collector.isIdle;
  }

  async #loadHistory(): Promise<History> {
    const { commits, heads, liveCommits } = this.#page;
    this.#history ??= await History.load(commits, [...heads.map(({ id }) => id), ...liveCommits]);
    return this.#history;
  }

  async #sweep(): Promise<void> {
    const { engine, options } = this.#page;
    if (options.prune)
      for await (const ids of storedCommits(engine)) {
        const add = async () => {
          const history = await this.#loadHistory();
          this.#collector.addCommits(ids.filter((id) => !history.has(id)));
        };
        if (!(await this.#take(add))) return;
      }
    for await (const digests of unreferencedPieces(engine, SWEPT[options.collection])) {
      const add = async () => this.#collector.addPieces(digests);
      if (!(await this.#take(digests.length > 0 ? add : undefined))) return;
    }
  }

  /** Takes what the sweep has found, and waits until it is removed; false if the sweep must end. */
  async #take(add: (() => Promise<void>) | undefined): Promise<boolean> {
    while (this.#users > 0 && !this.#closed) await this.#pauses.wait(SWEEP_PAUSE);
    if (this.#closed) return false;
    if (add !== undefined) {
      await this.#page.exclusively(add);
      this.wake();
      await this.#running;
    }
    await this.#pauses.wait(SWEEP_PAUSE);
    return !this.#closed;
  }
}
