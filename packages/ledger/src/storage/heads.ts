/** The heads of a page: the commits without children. Kept in memory as in the rows. */

import type { Engine, WriteOperation } from "merostore/engine";
import { equalBytes, toHex } from "merostore/internal";
import { headRow, syncMetadataRow } from "../rows/page-rows.js";
import { hasRow } from "../rows/row.js";
import { byTime, type Commit } from "./commit.js";
import { type CommitStore, type Head, SHOWN_HEAD } from "./commit-store.js";
import type { Holds, Release } from "./holds.js";

/** Receives commits once they are stored, parents first. */
export type CommitListener = (commits: readonly Commit[]) => void;

/** The heads after some commits. */
export interface NextHeads {
  readonly heads: readonly Head[];
  /** The head where connections begin. */
  readonly shown: Head;
  /** The writes that replace the rows of the old heads. */
  readonly operations: readonly WriteOperation[];
}

export class Heads {
  readonly #commits: CommitStore;
  readonly #holds: Holds;
  readonly #listeners = new Set<CommitListener>();
  #all: readonly Head[];
  #shown: Head;

  private constructor(commits: CommitStore, holds: Holds, heads: readonly Head[], shown: Head) {
    this.#commits = commits;
    this.#holds = holds;
    this.#all = heads;
    this.#shown = shown;
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
    return new Heads(commits, holds, heads, await commits.shownHead(heads));
  }

  /** All heads, by (timestamp, id). Never empty. */
  get all(): readonly Head[] {
    return this.#all;
  }

  /** The head where connections begin: the last commit of a connection, or a later commit that follows it. */
  get shown(): Head {
    return this.#shown;
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

  /**
   * Computes the heads after new commits, parents first. Changes nothing.
   * @param isOwn whether a connection has made them
   */
  after(commits: Iterable<Commit>, isOwn: boolean): NextHeads {
    const before = new Map(this.#all.map((head) => [toHex(head.id), head]));
    const heads = new Map(before);
    let shown = this.#shown;
    for (const { id, timestamp, parents } of commits) {
      const isNext =
        (isOwn && parents.length === 1) || parents.some((parent) => equalBytes(parent, shown.id));
      if (isNext) shown = { id, timestamp };
      for (const parent of parents) heads.delete(toHex(parent));
      heads.set(toHex(id), { id, timestamp });
    }
    const operations: WriteOperation[] = [];
    for (const [name, { id }] of before)
      if (!heads.has(name)) operations.push(headRow.delete({ commit: id }));
    for (const [name, { id, timestamp }] of heads)
      if (!before.has(name)) operations.push(headRow.put({ commit: id }, timestamp));
    const sorted = [...heads.values()].sort(byTime);
    const [was, is] = [isNewest(this.#shown, this.#all), isNewest(shown, sorted)];
    if (!is) operations.push(syncMetadataRow.put(SHOWN_HEAD, shown.id));
    else if (!was) operations.push(syncMetadataRow.delete(SHOWN_HEAD));
    return { heads: sorted, shown, operations };
  }

  /** Replaces the heads after their rows and the new commits were written, and notifies the listeners. */
  replace({ heads, shown }: NextHeads, commits: readonly Commit[]): void {
    this.#all = heads;
    this.#shown = shown;
    for (const listener of this.#listeners) listener(commits);
  }
}

function isNewest(head: Head, heads: readonly Head[]): boolean {
  return equalBytes(head.id, (heads.at(-1) as Head).id);
}
