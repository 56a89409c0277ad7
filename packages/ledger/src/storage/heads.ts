/** The heads of a page: the commits without children. Kept in memory as in the rows. */

import type { Engine, WriteOperation } from "merostore/engine";
import { equalBytes, toHex } from "merostore/internal";
import { headRow } from "../rows/page-rows.js";
import { hasRow } from "../rows/row.js";
import { byTime, type Commit } from "./commit.js";
import type { CommitStore, Head } from "./commit-store.js";
import type { Holds, Release } from "./holds.js";

/** Receives commits once they are stored, parents first. */
export type CommitListener = (commits: readonly Commit[]) => void;

/** The heads after some commits. */
export interface NextHeads {
  readonly heads: readonly Head[];
  /** The writes that replace the rows of the old heads. */
  readonly operations: readonly WriteOperation[];
}

export class Heads {
  readonly #commits: CommitStore;
  readonly #holds: Holds;
  readonly #listeners = new Set<CommitListener>();
  #all: readonly Head[];

  private constructor(commits: CommitStore, holds: Holds, heads: readonly Head[]) {
    this.#commits = commits;
    this.#holds = holds;
    this.#all = heads;
  }

  /**
   * Loads the heads. Writes the first head of a new page.
   *
   * @param holds the holds of commits
   * @throws MerostoreError DATA_INTEGRITY_ERROR if the page has rows, but no head
   */
  static async load(engine: Engine, commits: CommitStore, holds: Holds): Promise<Heads> {
    const heads = await commits.heads();
    if (!(await hasRow(engine, headRow.range())))
      await engine.write(
        heads.map(({ id, timestamp }) => headRow.put({ commit: id }, timestamp)),
        { sync: true },
      );
    return new Heads(commits, holds, heads);
  }

  /** All heads, by (timestamp, id). Never empty. */
  get all(): readonly Head[] {
    return this.#all;
  }

  /** Returns whether a commit is a head. */
  has(id: Uint8Array): boolean {
    return this.#all.some((head) => equalBytes(head.id, id));
  }

  /** Runs work with the commits of the heads, by (timestamp, id). They are held until the work ends. */
  async withCommits<T>(work: (heads: readonly Commit[]) => Promise<T>): Promise<T> {
    const holds = this.#all.map(({ id }) => this.#holds.hold(id));
    try {
      return await work(await Promise.all(this.#all.map((head) => this.#commits.ofHead(head))));
    } finally {
      for (const release of holds) release();
    }
  }

  /** Calls a listener after each write of new commits. */
  onCommits(listener: CommitListener): Release {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Computes the heads after new commits, parents first. Changes nothing. */
  after(commits: Iterable<Commit>): NextHeads {
    const before = new Map(this.#all.map((head) => [toHex(head.id), head]));
    const heads = new Map(before);
    for (const { id, timestamp, parents } of commits) {
      for (const parent of parents) heads.delete(toHex(parent));
      heads.set(toHex(id), { id, timestamp });
    }
    const operations: WriteOperation[] = [];
    for (const [name, { id }] of before)
      if (!heads.has(name)) operations.push(headRow.delete({ commit: id }));
    for (const [name, { id, timestamp }] of heads)
      if (!before.has(name)) operations.push(headRow.put({ commit: id }, timestamp));
    return { heads: [...heads.values()].sort(byTime), operations };
  }

  /** Replaces the heads after their rows and the new commits were written, and notifies the listeners. */
  replace(heads: readonly Head[], commits: readonly Commit[]): void {
    this.#all = heads;
    for (const listener of this.#listeners) listener(commits);
  }
}
