/** Decides when the background removes rows that a page no longer needs. */
import { soon } from "merostore/internal";
import type { ObjectDigest } from "../objects.js";
import { Sleeper, Timer } from "../timer.js";
import { Collector, type Removals, STEP_OPERATIONS } from "./collector.js";
import { type Commit, isFirst } from "./commit.js";
import { History } from "./history.js";
import type { Release } from "./holds.js";
import type { PageStorage } from "./page-storage.js";
import { piecesWithoutEdges, storedCommits } from "./sweep.js";
import type { Write } from "./write-queue.js";

/**
 * The pieces of a page that are removed once nothing refers to them. `never` removes none. `eager-root-nodes` removes
 * the pieces of removed commits. `eager-live-references` also removes values that were discarded before a commit used
 * them. Pieces are removed in the background, in small batches: when no commit has come for 100 ms, or after 64 of
 * them. Pieces that are left when the page is closed or its process ends are removed after the next opening.
 */
export type CollectionPolicy = "never" | "eager-root-nodes" | "eager-live-references";

/** A commit that is not removed until its release. */
export interface HeldCommit {
  readonly commit: Commit;
  readonly release: Release;
}

/** Pieces are removed after so many commits, or if no commit comes for so many milliseconds. */
const MOST_COMMITS = 64;
const IDLE = 100;

/** Milliseconds between two reads of the sweep, so that it takes little from others. */
const SWEEP_PAUSE = 10;

/** A large commit runs one step for this many of its operations: a step may reach its limit of candidates first. */
const OPERATIONS_PER_STEP = STEP_OPERATIONS / 8;

/** Rows that an earlier process may have left: commits, or pieces without an edge to them. */
interface LeftRows {
  readonly commits?: readonly Uint8Array[];
  readonly pieces?: readonly ObjectDigest[];
  /** True for values that no commit has used. */
  readonly isUrgent?: boolean;
}

/** Removes nothing. */
const NOTHING: Removals = { operations: [], putBack: () => undefined };

/**
 * Removes commits that nobody needs and pieces that nothing refers to, step by step: a write waits for at most one
 * step. After the opening it also looks for rows that an earlier process left because it was killed or closed the page
 * early.
 */
export class BackgroundCollector {
  readonly #page: PageStorage;
  readonly #collector: Collector;
  readonly #betweenSteps = new Sleeper();
  readonly #betweenReads = new Sleeper();
  #history: History | undefined;
  /** Commits since everything was removed. */
  #commits = 0;
  readonly #idle = new Timer(() => this.#wake());
  #running: Promise<void> | undefined;
  readonly #sweeping: Promise<void>;
  /** The number of callers that have paused the collection. */
  #pauses = 0;
  #closed = false;

  /** Starts at once, and follows the commits and holds of the page from now on. */
  constructor(page: PageStorage) {
    this.#page = page;
    this.#collector = new Collector(page, page.options.collection !== "never");
    // It must be the first listener: the history has a commit before any listener writes.
    page.heads.onCommits((commits) => {
      for (const commit of commits) this.#history?.add(commit);
    });
    page.commitHolds.onFree = (id) => {
      if (page.options.prune && !page.heads.has(id)) this.#wakeWhenIdle();
    };
    page.objectHolds.onFree = (id) => {
      this.#collector.addFreed(id);
      if (!this.#collector.isIdle) this.#wakeWhenIdle();
    };
    // If a step fails, the next opening tries again.
    this.#sweeping = this.#sweep().catch(() => undefined);
  }

  /**
   * Returns the operations that remove commits that nobody needs. They belong to the batch of the next commit: it costs
   * less than a batch of its own. Their trees are removed later.
   */
  async pruning(): Promise<Removals> {
    if (!this.#page.options.prune || this.#pauses > 0) return NOTHING;
    try {
      await this.#addUnneeded();
      return await this.#collector.take(false);
    } catch {
      // A damaged old commit must not keep a new one from being stored.
      return NOTHING;
    }
  }

  /** Starts removing all removable rows now, after the writes that already wait. */
  #wake(): void {
    if (this.#closed) return;
    // Commits in a row may leave no time for the pause to end: a step follows each of them.
    this.#betweenSteps.cutShort();
    this.#running ??= this.#run();
  }

  /** Starts removing once no commit has come for a while. */
  #wakeWhenIdle(): void {
    if (this.#closed) return;
    this.#idle.start(IDLE);
  }

  /**
   * Removes the rows that new commits have replaced: now after many commits, otherwise when no more come. After large
   * commits, settles when about as many rows are removed as they have written. Otherwise many large commits in a row
   * would leave more rows than the background removes between them. A small commit does not wait.
   *
   * @param written the write operations of the commits
   */
  async afterCommits(count: number, written: number): Promise<void> {
    this.#commits += count;
    this.#wakeWhenIdle();
    if (this.#commits >= MOST_COMMITS) this.#wake();
    try {
      for (let left = written - STEP_OPERATIONS; left > 0; left -= OPERATIONS_PER_STEP)
        if (!(await this.#stepAwaited())) return;
    } catch {
      // The commits are stored; the next one tries again.
    }
  }

  /** Removes objects that were discarded, if the policy says so and nothing refers to them. */
  discard(digests: readonly ObjectDigest[]): void {
    if (this.#page.options.collection !== "eager-live-references" || digests.length === 0) return;
    this.#collector.addPieces(digests);
    this.#wakeWhenIdle();
  }

  /** Holds a commit; undefined if the page does not have it, or removes it at this moment. */
  hold(id: Uint8Array): Promise<HeldCommit | undefined> {
    const { commits, commitHolds, options, writes } = this.#page;
    return writes.exclusively(async () => {
      // The first commit is stored nowhere: it cannot be removed.
      const isLeft = !options.prune || isFirst(id) || (await this.#loadHistory()).use(id);
      const commit = isLeft ? await commits.find(id) : undefined;
      return commit && { commit, release: commitHolds.hold(commit.id) };
    });
  }

  /** Removes nothing until the release. For work with pieces that nothing refers to yet. */
  async pause(): Promise<Release> {
    this.#pauses++;
    await this.#page.writes.exclusively(async () => undefined);
    let paused = true;
    return () => {
      if (!paused) return;
      paused = false;
      if (--this.#pauses === 0) this.#wakeWhenIdle();
    };
  }

  /** Removes everything that can be removed now, including the rows that earlier processes left. */
  async collectAll(): Promise<void> {
    await this.#betweenSteps.waitFor(this.#betweenReads.waitFor(this.#sweeping));
    while (await this.#stepAwaited());
  }

  /**
   * Removes the values that a killed process left before a commit used them. Then removes the rows that the last
   * commits have replaced, in a few steps, and stops.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idle.stop();
    this.#betweenSteps.end();
    this.#betweenReads.end();
    await this.#running;
    await this.#sweeping;
    try {
      // A step has room for the rows that two small commits have replaced.
      for (let left = 1 + (this.#commits >> 1); left > 0 && (await this.#stepAwaited()); left--);
    } catch {
      // The next opening tries again.
    }
  }

  async #run(): Promise<void> {
    try {
      while (await this.#page.writes.exclusively((write) => this.#step(write))) {
        await this.#betweenSteps.wait(0);
        if (this.#closed) return;
      }
      this.#commits = 0;
    } catch {
      // The next commit tries again.
    } finally {
      this.#running = undefined;
    }
  }

  /** Runs a step that a caller waits for, then lets other work run: a database in memory never yields by itself. */
  async #stepAwaited(): Promise<boolean> {
    const isMore = await this.#page.writes.exclusively((write) => this.#step(write));
    await new Promise<void>((resolve) => soon(resolve));
    return isMore;
  }

  /** Runs one step; returns false if there is nothing more to remove. */
  async #step(write: Write): Promise<boolean> {
    if (this.#pauses > 0) return false;
    if (this.#page.options.prune) await this.#addUnneeded();
    await this.#collector.step(write);
    return !this.#collector.isIdle;
  }

  /** Adds the commits that nobody needs any longer. */
  async #addUnneeded(): Promise<void> {
    const history = await this.#loadHistory();
    const { commitHolds, heads } = this.#page;
    this.#collector.addCommits(history.advance((id) => heads.has(id) || commitHolds.has(id)));
  }

  async #loadHistory(): Promise<History> {
    const { commits, heads, commitHolds } = this.#page;
    this.#history ??= await History.load(commits, [...heads.all.map(({ id }) => id), ...commitHolds]);
    return this.#history;
  }

  /**
   * Removes the rows that earlier processes left. The removal of urgent rows does not pause, and closing does not end
   * it: short sessions remove them too. While the collection is paused, they are only noted.
   */
  async #sweep(): Promise<void> {
    for await (const { commits = [], pieces = [], isUrgent = false } of this.#leftRows()) {
      while (!isUrgent && this.#pauses > 0 && !this.#closed) await this.#betweenReads.wait(SWEEP_PAUSE);
      if (this.#closed && !isUrgent) return;
      if (commits.length + pieces.length > 0) {
        await this.#page.writes.exclusively(() => this.#addLeft(commits, pieces));
        while ((isUrgent || !this.#closed) && (await this.#stepAwaited()))
          if (!isUrgent) await this.#betweenSteps.wait(0);
      }
      if (!isUrgent) await this.#betweenReads.wait(SWEEP_PAUSE);
    }
  }

  /** Yields the rows that may be left, in batches. */
  async *#leftRows(): AsyncGenerator<LeftRows, void, undefined> {
    const { engine, options, pieces: store } = this.#page;
    const takesValues = options.collection === "eager-live-references";
    if (takesValues)
      for await (const pieces of piecesWithoutEdges(engine, ["transient"], store))
        yield { pieces, isUrgent: true };
    if (options.prune) for await (const commits of storedCommits(engine)) yield { commits };
    if (options.collection !== "never")
      for await (const pieces of piecesWithoutEdges(engine, ["local", "synced"], store)) yield { pieces };
    // The statuses of transient pieces were read before.
    if (takesValues) store.keyIndexes.complete();
  }

  async #addLeft(commits: readonly Uint8Array[], pieces: readonly ObjectDigest[]): Promise<void> {
    this.#collector.addPieces(pieces);
    if (commits.length === 0) return;
    const history = await this.#loadHistory();
    this.#collector.addCommits(commits.filter((id) => !history.has(id)));
  }
}
