/** The line of commits that one connection to a page follows. */
import { equalBytes } from "merostore/internal";
import type { Commit } from "../storage/commit.js";
import type { Head } from "../storage/commit-store.js";
import type { Release } from "../storage/holds.js";
import type { PageStorage } from "../storage/page-storage.js";

/**
 * Begins at a head and moves to each later commit that has the current one as a parent: commits of the connection,
 * later commits of others, and merges. A pinned branch stays at its commit, and catches up when it is unpinned.
 */
export class Branch {
  readonly #storage: PageStorage;
  readonly #onMove: () => void;
  readonly #unsubscribe: Release;
  #head: Commit;
  #release: Release;
  /** The commits that were stored since the branch was pinned; undefined if it is not pinned. */
  #missed: Commit[] | undefined;
  /** The heads of the page when the branch was pinned. */
  #pinned: readonly Head[] = [];

  constructor(storage: PageStorage, head: Commit, onMove: () => void) {
    this.#storage = storage;
    this.#head = head;
    this.#release = storage.commitHolds.hold(head.id);
    this.#onMove = onMove;
    this.#unsubscribe = storage.heads.onCommits((commits) => this.#onCommits(commits));
  }

  /** The current commit. */
  get head(): Commit {
    return this.#head;
  }

  /** The heads of the page, as the connection knows them. */
  get heads(): readonly Head[] {
    return this.#missed === undefined ? this.#storage.heads.all : this.#pinned;
  }

  /** Keeps the branch at its commit, and the heads. */
  pin(): void {
    this.#missed = [];
    this.#pinned = this.#storage.heads.all;
  }

  /**
   * Follows the commits that were stored since the branch was pinned.
   * @param commit the commit to begin with: a commit of the connection after the pinned one; the pinned one unless
   * given
   */
  unpin(commit = this.#head): void {
    const missed = this.#missed ?? [];
    this.#missed = undefined;
    this.#follow(commit, missed);
  }

  /** Stops following and releases the commit. */
  close(): void {
    this.#unsubscribe();
    this.#release();
  }

  #onCommits(commits: readonly Commit[]): void {
    if (this.#missed === undefined) this.#follow(this.#head, commits);
    else for (const commit of commits) this.#missed.push(commit);
  }

  #follow(from: Commit, commits: readonly Commit[]): void {
    const next = commits.reduce(
      (head, commit) => (commit.parents.some((parent) => equalBytes(parent, head.id)) ? commit : head),
      from,
    );
    if (equalBytes(next.id, this.#head.id)) {
      // The page may show the commits of others before they are merged.
      if (commits.length > 0 && this.#storage.heads.all.length > 1) this.#onMove();
      return;
    }
    const release = this.#release;
    this.#release = this.#storage.commitHolds.hold(next.id);
    release();
    this.#head = next;
    this.#onMove();
  }
}
