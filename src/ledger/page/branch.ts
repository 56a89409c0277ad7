/** The line of commits that one connection to a page follows. */
import { equalBytes } from "../../bytes/order.js";
import type { Commit } from "../storage/commit.js";
import type { Release } from "../storage/live.js";
import type { PageStorage } from "../storage/page-storage.js";

/**
 * Begins at a head and goes on to every commit that has the one before as a parent: what the connection commits, what
 * others commit after it, and merges.
 */
export class Branch {
  readonly #storage: PageStorage;
  readonly #onMove: () => void;
  readonly #unsubscribe: Release;
  #head: Commit;
  #release: Release;

  constructor(storage: PageStorage, head: Commit, onMove: () => void) {
    this.#storage = storage;
    this.#head = head;
    this.#release = storage.liveCommits.hold(head.id);
    this.#onMove = onMove;
    this.#unsubscribe = storage.onCommits((commits) => this.#follow(commits));
  }

  get head(): Commit {
    return this.#head;
  }

  /** Goes to a commit: one that the connection made. */
  moveTo(commit: Commit): void {
    if (equalBytes(commit.id, this.#head.id)) return;
    const release = this.#release;
    this.#release = this.#storage.liveCommits.hold(commit.id);
    release();
    this.#head = commit;
    this.#onMove();
  }

  close(): void {
    this.#unsubscribe();
    this.#release();
  }

  #follow(commits: readonly Commit[]): void {
    const next = commits.reduce(
      (head, commit) => (commit.parents.some((parent) => equalBytes(parent, head.id)) ? commit : head),
      this.#head,
    );
    this.moveTo(next);
  }
}
