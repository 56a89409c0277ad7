/** Removes in the background what a page no longer needs. */
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
 * Which pieces of a page are removed once nothing refers to them. `never` removes none, `eager-root-nodes` those of removed
 * commits, `eager-live-references` also values that were given up before a commit used them. Pieces are removed in the
 * background, in small batches; what is left when the page is closed or its process ends is removed after the next opening.
 */
export type CollectionPolicy = "never" | "eager-root-nodes" | "eager-live-references";

/** The parts of a page's storage that the tidier uses. */
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

/** A large commit runs one step for this many of its operations: a step may reach its number of looks first. */
const WORKED_OFF = OPERATIONS / 8;

/** The statuses whose pieces the sweep removes. No commit has used a transient piece. */
const SWEPT: Readonly<Record<CollectionPolicy, readonly PieceStatus[]>> = {
  never: [],
  "eager-root-nodes": ["local", "synced"],
  "eager-live-references": ["transient", "local", "synced"],
};

/**
 * Removes commits that nothing needs and pieces that nothing refers to, step by step: a write waits for at most one step.
 * After the opening it also looks for what an earlier process left when it was killed, or closed the page early.
 */
export class Tidier {
  readonly #page: Tidied;
  readonly #collector: Collector;
  readonly #betweenSteps = new Pauses();
  readonly #betweenReads = new Pauses();
  #history: History | undefined;
  /** Whether there is something to look at. */
  #wanted = false;
  #running: Promise<void> | undefined;
  readonly #sweeping: Promise<void>;
  /** How many callers use pieces that nothing refers to yet. */
  #users = 0;
  #closed = false;

  constructor(page: Tidied) {
    this.#page = page;
    this.#collector = new Collector(page, page.options.collection !== "never");
    this.#sweeping = this.#sweep().catch(() => undefined); // the next opening tries again
  }

  /** Adds a commit that was just stored. Must be called before anything else is written. */
  addCommit(commit: Commit): void {
    this.#history?.add(commit);
  }

  /** Starts removing what can be removed now, after the writes that already wait. */
  wake(): void {
    if (this.#closed) return;
    this.#wanted = true;
    // Commits in a row may leave no time for the pause to end: a step follows each of them.
    this.#betweenSteps.cutShort();
    this.#running ??= this.#run();
  }

  /**
   * Removes about as much as a commit has written. Otherwise many large commits in a row would leave more behind than the
   * background removes between them. A small commit does not wait.
   */
  async workOff(written: number): Promise<void> {
    this.wake();
    try {
      for (let left = written - OPERATIONS; left > 0; left -= WORKED_OFF)
        if (!(await this.#stepAwaited())) return;
    } catch {
      // The commit is stored; the next one tries again.
    }
  }

  /** Removes objects that were given up, if the policy says so and nothing refers to them. */
  drop(digests: readonly ObjectDigest[]): void {
    if (this.#page.options.collection !== "eager-live-references" || digests.length === 0) return;
    this.#collector.addPieces(digests);
    this.wake();
  }

  /** Removes an object that was given up while somebody held it. */
  free(digest: ObjectDigest): void {
    this.#collector.addFreed(digest);
    if (!this.#collector.isIdle) this.wake();
  }

  /** Stops all removal until the release. For work with pieces that nothing refers to yet. */
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

  /** Removes everything that can be removed now, including what earlier processes left. */
  async tidy(): Promise<void> {
    await this.#betweenSteps.waitFor(this.#betweenReads.waitFor(this.#sweeping));
    while (await this.#stepAwaited());
  }

  /** Runs at most one more step, then stops. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#betweenSteps.end();
    this.#betweenReads.end();
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
        // The next commit tries again.
      }
      if (isLast) break;
      if (this.#wanted) await this.#betweenSteps.wait(0);
    }
    this.#running = undefined;
  }

  /** Runs a step that a caller waits for, then lets other work run: a database in memory never yields by itself. */
  async #stepAwaited(): Promise<boolean> {
    const isMore = await this.#page.exclusively((write) => this.#step(write));
    await new Promise((resolve) => setImmediate(resolve));
    return isMore;
  }

  /** Removes a part of what can be removed; returns false if nothing is left. */
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

  /** Adds what the sweep found and waits until it is removed; returns false if the sweep must end. */
  async #take(add: (() => Promise<void>) | undefined): Promise<boolean> {
    while (this.#users > 0 && !this.#closed) await this.#betweenReads.wait(SWEEP_PAUSE);
    if (this.#closed) return false;
    if (add !== undefined) {
      await this.#page.exclusively(add);
      this.wake();
      await this.#running;
      // It could not be removed: the next opening tries again.
      if (!this.#collector.isIdle && this.#users === 0) return false;
    }
    await this.#betweenReads.wait(SWEEP_PAUSE);
    return !this.#closed;
  }
}
