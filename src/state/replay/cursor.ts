/** A tree that moves between sets of deltas. */

import { Pause } from "../../pause.js";
import type { Applied, DeltaApplier } from "./apply.js";
import type { DeltaGraph } from "./graph.js";
import type { ReplayedTree } from "./tree.js";

/** A set of deltas: some with all that they follow, without those that are left out. */
export interface DeltaSet {
  /** Deltas that are applied with all that they follow. */
  readonly heads: readonly number[];
  /** Deltas among those that are not applied. */
  readonly leftOut: ReadonlySet<number>;
}

interface Frame {
  readonly number: number;
  /** Changes of the tree before the delta. */
  readonly changes: number;
}

const NOTHING: ReadonlySet<number> = new Set();

/** The tree of a context, and the deltas that were applied to it, in order. Going back costs what a delta changed. */
export class ReplayCursor {
  readonly tree: ReplayedTree;
  readonly #graph: DeltaGraph;
  readonly #applier: DeltaApplier;
  readonly #stack: Frame[] = [];
  readonly #places = new Map<number, number>();
  /** The deltas that no other one that is applied follows. */
  readonly #heads = new Set<number>();
  readonly #pause = new Pause();
  #leftOut = NOTHING;

  constructor(tree: ReplayedTree, graph: DeltaGraph, applier: DeltaApplier) {
    this.tree = tree;
    this.#graph = graph;
    this.#applier = applier;
  }

  /** Moves to the state after these deltas. */
  async moveTo({ heads, leftOut }: DeltaSet): Promise<void> {
    const [excess, lacking] = this.#graph.difference(this.#heads, heads);
    const wrong = [...excess];
    for (const number of leftOut) if (!this.#leftOut.has(number)) wrong.push(number);
    for (const number of this.#leftOut) if (!leftOut.has(number)) wrong.push(number);
    this.#leftOut = leftOut;
    let lowest = this.#stack.length;
    for (const number of wrong) lowest = Math.min(lowest, this.#places.get(number) ?? lowest);
    const dropped = new Set(excess);
    const redo = [...lacking];
    while (this.#stack.length > lowest) {
      const number = this.#undo();
      if (!dropped.has(number)) redo.push(number);
    }
    for (const number of redo.sort((a, b) => a - b)) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      this.#apply(number, false, false);
    }
  }

  /** Applies one more delta as its author did, whose own state followed all that is applied. Returns the root hashes. */
  applyAsAuthor(number: number): Applied {
    return this.#apply(number, true, true);
  }

  #apply(number: number, isAuthor: boolean, hashes: boolean): Applied {
    const delta = this.#graph.deltas[number];
    if (delta === undefined) throw new RangeError(`no delta has the number ${number}`);
    this.#places.set(number, this.#stack.length);
    this.#stack.push({ number, changes: this.tree.changes });
    this.#heads.add(number);
    for (const parent of this.#graph.parents(number)) this.#heads.delete(parent);
    if (this.#leftOut.has(number)) return { reached: undefined, expected: undefined };
    const follows = (other: number): boolean => isAuthor || this.#graph.follows(number, other);
    return this.#applier.apply(delta, { number, follows }, hashes);
  }

  #undo(): number {
    const { number, changes } = this.#stack.pop() as Frame;
    this.#places.delete(number);
    this.#heads.delete(number);
    this.tree.undoTo(changes);
    // A delta whose child was undone is a head again, unless another child is applied.
    for (const parent of this.#graph.parents(number))
      if (this.#places.has(parent) && !this.#graph.children(parent).some((child) => this.#places.has(child)))
        this.#heads.add(parent);
    return number;
  }
}
