/** The line of commits that one connection to a page follows. */
import { equalBytes } from "../../bytes/order.js";
import type { Commit } from "../storage/commit.js";
import type { Release } from "../storage/holds.js";
import type { PageStorage } from "../storage/page-storage.js";

/**
 * Begins at a head and goes on to every commit that has the one before as a parent: what the connection commits, what
 * others commit after it, and merges. While it is pinned it stays, and catches up afterwards.
 */
export class Branch {
  readonly #storage: PageStorage;
  readonly #onMove: () => void;
  readonly #unsubscribe: Release;
  #head: Commit;
  #release: Release;
  /** What has been committed since it was pinned. */
  #missed: Commit[] | undefined;

  constructor(storage: PageStorage, head: Commit, onMove: () => void) {
    this.#storage = storage;
    this.#head = head;
    this.#release = storage.commitHolds.hold(head.id);
    this.#onMove = onMove;
    this.#unsubscribe = storage.heads.onCommits((commits) => this.#onCommits(commits));
  }

  get head(): Commit {
    return this.#head;
  }

  /** Stays at the head from now on. */
  pin(): void {
    this.#missed = [];
  }

  /**
   * Goes on from the head at which it was pinned.
   * @param commit or from this one, which the connection has made after that head
   */
  unpin(commit = this.#head): void {
    const missed = this.#missed ?? [];
    this.#missed = undefined;
    this.#follow(commit, missed);
  }

  close(): void {
    this.#unsubscribe();
    this.#release();
  }

  #onCommits(commits: readonly Commit[]): void {
    if (this.#missed !== undefined) this.#missed.push(...commits);
    else this.#follow(this.#head, commits);
  }

  #follow(from: Commit, commits: readonly Commit[]): void {
    const next = commits.reduce(
      (head, commit) => (commit.parents.some((parent) => equalBytes(parent, head.id)) ? commit : head),
      from,
    );
    if (equalBytes(next.id, this.#head.id)) return;
    const release = this.#release;
    this.#release = this.#storage.commitHolds.hold(next.id);
    release();
    this.#head = next;
    this.#onMove();
  }
}
