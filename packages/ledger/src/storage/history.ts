/** The commits that a page needs: the latest common ancestor of all commits in use, and its descendants. */
import { toHex } from "merostore/internal";
import { byGeneration, type Commit, FIRST_COMMIT_ID } from "./commit.js";
import type { CommitStore } from "./commit-store.js";

/** A needed commit in the graph. */
interface CommitNode {
  readonly id: Uint8Array;
  readonly generation: bigint;
  /** Names of the commits that have it as a parent. */
  readonly children: string[];
}

/**
 * The graph of the needed commits, in memory. {@link History.add} and {@link History.advance} take constant time per
 * commit, even if an old commit is held.
 */
export class History {
  readonly #nodes = new Map<string, CommitNode>();
  /** The latest common ancestor of all commits in use that {@link History.advance} has found. */
  #base: string;
  /** Every path from the base to a head leads through one of these. */
  readonly #front = new Set<string>();
  /** The base and the commits between it and the front, parents first. Nobody uses them. */
  readonly #passed = new Set<string>();

  private constructor(base: Commit) {
    this.#base = this.#addNode(base);
    this.#front.add(this.#base);
  }

  /**
   * Reads the graph from the commits in use back to their latest common ancestor.
   * @throws MerostoreError COMMIT_NOT_FOUND for a commit in use that is missing; DATA_INTEGRITY_ERROR
   */
  static async load(commits: CommitStore, inUse: Iterable<Uint8Array>): Promise<History> {
    const open = new Map<string, Commit>();
    for (const id of inUse) open.set(toHex(id), await commits.get(id));
    const first = await commits.get(FIRST_COMMIT_ID);
    const read: { readonly commit: Commit; readonly parents: readonly Commit[] }[] = [];
    while (open.size > 1) {
      const newest = [...open.values()].reduce((a, b) => (byGeneration(a, b) > 0 ? a : b));
      open.delete(toHex(newest.id));
      // A missing parent was removed, and with it all before it.
      const parents = await Promise.all(newest.parents.map(async (id) => (await commits.find(id)) ?? first));
      for (const parent of parents) open.set(toHex(parent.id), parent);
      read.push({ commit: newest, parents });
    }
    const [base = first] = open.values();
    const history = new History(base);
    for (const { commit, parents } of read.reverse())
      history.#link(
        commit,
        parents.map(({ id }) => id),
      );
    return history;
  }

  /** Returns whether a commit is needed. */
  has(id: Uint8Array): boolean {
    return this.#nodes.has(toHex(id));
  }

  /**
   * Prepares for the use of a commit that may not be in use yet.
   * @returns false if it is not in the graph: it is removed, or about to be
   */
  use(id: Uint8Array): boolean {
    const name = toHex(id);
    if (this.#passed.has(name)) this.#restart();
    return this.#nodes.has(name);
  }

  /** Adds a new commit. */
  add(commit: Commit): void {
    this.#link(commit, commit.parents);
  }

  /**
   * Moves the base forward as far as the commits in use allow, and returns the commits that are no longer needed,
   * parents first.
   */
  advance(isInUse: (id: Uint8Array) => boolean): Uint8Array[] {
    const removed: Uint8Array[] = [];
    for (;;) {
      const oldest = this.#oldestOfFront();
      if (isInUse(oldest.id) || oldest.children.length === 0) return removed;
      const name = toHex(oldest.id);
      this.#front.delete(name);
      this.#passed.add(name);
      for (const child of oldest.children) this.#front.add(child);
      if (this.#front.size > 1) continue;
      // All paths lead through one commit: the new base.
      for (const passed of this.#passed) {
        removed.push((this.#nodes.get(passed) as CommitNode).id);
        this.#nodes.delete(passed);
      }
      this.#passed.clear();
      for (const base of this.#front) this.#base = base;
    }
  }

  #oldestOfFront(): CommitNode {
    const front = Array.from(this.#front, (name) => this.#nodes.get(name) as CommitNode);
    return front.reduce((a, b) => (byGeneration(a, b) < 0 ? a : b));
  }

  #addNode({ id, generation }: Pick<Commit, "id" | "generation">): string {
    const name = toHex(id);
    if (!this.#nodes.has(name)) this.#nodes.set(name, { id, generation, children: [] });
    return name;
  }

  #link(commit: Commit, parents: readonly Uint8Array[]): void {
    const name = this.#addNode(commit);
    for (const id of parents) {
      const parent = this.#nodes.get(toHex(id)) ?? this.#origin();
      parent.children.push(name);
      if (this.#passed.has(toHex(parent.id))) this.#restart();
    }
  }

  /** The first commit, as the base: it stands for parents that were removed. */
  #origin(): CommitNode {
    const name = this.#addNode({ id: FIRST_COMMIT_ID, generation: 0n });
    const origin = this.#nodes.get(name) as CommitNode;
    if (this.#base !== name) {
      origin.children.push(this.#base);
      this.#base = name;
      this.#restart();
    }
    return origin;
  }

  /** Looks for the next base from the present one on. */
  #restart(): void {
    this.#passed.clear();
    this.#front.clear();
    this.#front.add(this.#base);
  }
}
