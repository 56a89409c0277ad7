/** A tree that moves between sets of deltas. */

import { NumberList } from "../../collections/columns.js";
import { sorted } from "../../collections/sort.js";
import { Pause } from "../../pause.js";
import type { Applied, DeltaApplier } from "./apply.js";
import type { EntityTree } from "./entity-tree.js";
import type { DeltaGraph } from "./graph.js";
import type { LostWrites } from "./lost-writes.js";
import type { WrittenEntity } from "./taken-over.js";
import type { TreeChanges } from "./tree-changes.js";

/** A set of deltas: heads with all their ancestors, without the deltas that are left out. */
export interface DeltaSet {
  /** Deltas that are applied with all that they follow. */
  readonly heads: readonly number[];
  /** Ancestors of the heads that are not applied. */
  readonly leftOut: ReadonlySet<number>;
  /** Entities that the node has without a delta, from another node. */
  readonly taken?: readonly WrittenEntity[];
  /**
   * A delta that is not applied, while the writes of the lost deltas that it follows are; undefined without such a
   * delta.
   */
  readonly lostBefore?: number;
}

/** Deltas that are undone or done again together. */
interface Span {
  /** The numbers of the deltas in order; for a delta that is left out, the complement of its number. */
  readonly steps: Int32Array;
  /** The parts of the tree that they changed, as they are on the other side of the span. */
  readonly changes: TreeChanges;
}

/** Deltas of a span. The newest ones, this many and up to twice as many, can be undone one by one. */
const SPAN = 8192;

/**
 * The most deltas that are undone to apply an older one before them. Only a deletion of an entity whose addition the
 * delta does not follow depends on the order, and a much older delta would cost as much as all deltas since.
 */
const MOST_NEWER = 1024;

const NOTHING: ReadonlySet<number> = new Set();

/**
 * The tree of a context, and the deltas that were applied to it, in order. Undoing a delta costs as much as its
 * changes. Older deltas are undone in spans, and each span changes a part of the tree only once.
 */
export class ReplayCursor {
  readonly tree: EntityTree;
  readonly #graph: DeltaGraph;
  readonly #applier: DeltaApplier;
  /** The deltas that are applied, in order; for a delta that is left out, the complement of its number. */
  readonly #steps: Int32Array;
  /** The number of deltas that are applied. */
  #length = 0;
  /** The places of deltas among them; -1 for a delta that is not applied. */
  readonly #places: Int32Array;
  /** The number of changes of the tree before each delta that is in no span. */
  readonly #changes: number[] = [];
  /** The spans of the oldest deltas that are applied. */
  readonly #spans: Span[] = [];
  /** The undone spans that follow the others, the next one last. */
  readonly #ahead: Span[] = [];
  /** The deltas that no other one that is applied follows. */
  readonly #heads = new Set<number>();
  /** Marks of deltas that are undone and not done again: zeros before a move and after it. */
  readonly #dropped: Uint8Array;
  readonly #pause: Pause;
  readonly #lost: LostWrites;
  #leftOut = NOTHING;
  /**
   * The numbers of deltas and of changes before entities were taken over; undefined while no entities are taken over.
   */
  #before: { readonly steps: number; readonly changes: number } | undefined;

  /** @param lost the writes of deltas whose rows were lost */
  constructor(
    tree: EntityTree,
    graph: DeltaGraph,
    applier: DeltaApplier,
    lost: LostWrites = new Map(),
    signal?: AbortSignal,
  ) {
    this.#pause = new Pause(signal);
    this.tree = tree;
    this.#graph = graph;
    this.#applier = applier;
    this.#lost = lost;
    this.#steps = new Int32Array(graph.deltas.length);
    this.#places = new Int32Array(graph.deltas.length).fill(-1);
    this.#dropped = new Uint8Array(graph.deltas.length);
    // The base is not undone.
    tree.settle();
  }

  /**
   * Moves to the state after these deltas in ascending order, unless more than 1,024 newer ones are applied already:
   * then an older one comes after them.
   */
  async moveTo({ heads, leftOut, taken = [], lostBefore }: DeltaSet): Promise<void> {
    await this.#giveBack();
    const [excess, lacking] = await this.#graph.difference(this.#heads, heads, this.#pause);
    let lowest = this.#length;
    const undo = (number: number): void => {
      const place = this.#places[number] as number;
      if (place >= 0) lowest = Math.min(lowest, place);
    };
    const dropped = this.#dropped;
    for (let at = 0; at < excess.length; at++) {
      if (at % SPAN === SPAN - 1 && this.#pause.isLong) await this.#pause.ifLong();
      undo(excess[at] as number);
      dropped[excess[at] as number] = 1;
    }
    for (const number of leftOut) if (!this.#leftOut.has(number)) undo(number);
    for (const number of this.#leftOut) if (!leftOut.has(number)) undo(number);
    this.#leftOut = leftOut;
    lowest = Math.min(lowest, this.#placeFor(lacking));
    const redo = new NumberList(lacking);
    while (this.#length > lowest) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      await this.#undo((number) => {
        if (dropped[number] === 0) redo.push(number);
      });
    }
    for (const number of excess) dropped[number] = 0;
    if (this.#pause.isLong) await this.#pause.ifLong();
    const inOrder = await ascending(redo.view);
    for (let at = 0; at < inOrder.length; ) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      at += (await this.#redoSpan(inOrder, at)) || (await this.applyNext(inOrder[at] as number));
    }
    const handed = [...(this.#lost.get(lostBefore ?? -1) ?? []), ...taken];
    if (handed.length === 0) return;
    this.#before = { steps: this.#length, changes: this.tree.changes };
    await this.#applier.take(handed);
  }

  /** The place before all applied deltas that are newer than one that comes; the end if they are too many. */
  #placeFor(lacking: Iterable<number>): number {
    const end = this.#length;
    const numberAt = (place: number): number => numberIn(this.#steps[place] as number);
    let oldest = Number.POSITIVE_INFINITY;
    for (const number of lacking) oldest = Math.min(oldest, number);
    let place = end;
    // The last delta may be one that was applied as its author did.
    if (end > 1 && numberAt(end - 1) < numberAt(end - 2)) oldest = Math.min(oldest, numberAt(--place));
    while (place > 0 && numberAt(place - 1) > oldest) if (end - --place > MOST_NEWER) return end;
    return place;
  }

  /** Removes the taken-over entities, and undoes the deltas that were applied after them. */
  async #giveBack(): Promise<void> {
    if (this.#before === undefined) return;
    while (this.#length > this.#before.steps) await this.#undo(() => undefined);
    await this.tree.undoTo(this.#before.changes, this.#pause);
    this.#before = undefined;
  }

  /** True once a delta left an entry unknown that only the application can merge. */
  get leftToApplication(): boolean {
    return this.#applier.leftToApplication;
  }

  /** True if the application's own state is a guess: only the application can merge what concurrent deltas wrote. */
  get isGuess(): boolean {
    return this.#applier.isGuess;
  }

  /** Applies one more delta as its author did: on top of all applied deltas. Returns the root hashes. */
  applyAsAuthor(number: number): Promise<Applied> {
    return this.#apply(number, true, true);
  }

  /** Applies one more delta. Returns the number of deltas. */
  async applyNext(number: number): Promise<1> {
    await this.#apply(number, false, false);
    return 1;
  }

  async #apply(number: number, isAuthor: boolean, hashes: boolean): Promise<Applied> {
    const delta = this.#graph.deltas[number];
    if (delta === undefined) throw new RangeError(`no delta has the number ${number}`);
    const isLeftOut = this.#leftOut.has(number);
    this.#changes.push(this.tree.changes);
    this.#add(isLeftOut ? ~number : number);
    if (this.#changes.length === 2 * SPAN) await this.#condense();
    if (isLeftOut) return { reached: undefined, expected: undefined };
    const lost = this.#lost.get(number);
    if (lost !== undefined) await this.#applier.take(lost);
    const follows = async (other: number): Promise<boolean> =>
      isAuthor || this.#graph.follows(number, other, this.#pause);
    return this.#applier.apply(delta, { number, follows }, hashes);
  }

  /** Makes a span of the oldest deltas that can be undone one by one. */
  async #condense(): Promise<void> {
    const start = this.#length - this.#changes.length;
    this.#changes.splice(0, SPAN);
    const changes = await this.tree.condense(this.#changes[0] as number, this.#pause);
    this.#spans.push({ steps: this.#steps.slice(start, start + SPAN), changes });
    for (const span of this.#ahead.splice(0)) this.tree.forget(span.changes);
  }

  /**
   * Redoes a span if these deltas are its rest, after the deltas that can be undone one by one. Returns their number.
   */
  async #redoSpan(numbers: Uint32Array, at: number): Promise<number> {
    const span = this.#ahead.at(-1);
    if (span === undefined) return 0;
    const { steps, changes } = span;
    const done = this.#changes.length;
    const start = this.#length - done;
    const last = numbers[at + steps.length - done - 1];
    if (last === undefined || last !== numberIn(steps.at(-1) as number)) return 0;
    const isNext = (step: number, place: number): boolean =>
      place < done
        ? this.#steps[start + place] === step
        : numbers[at + place - done] === numberIn(step) && this.#leftOut.has(numberIn(step)) === step < 0;
    if (!steps.every(isNext)) return 0;
    if (done > 0) await this.tree.undoTo(this.#changes[0] as number, this.#pause);
    this.#changes.length = 0;
    this.#ahead.pop();
    await this.tree.swap(changes, "redo", this.#pause);
    for (const step of steps.subarray(done)) this.#add(step);
    this.#spans.push(span);
    return steps.length - done;
  }

  /** Undoes the newest delta, or the newest span of deltas. Calls with their numbers. */
  async #undo(call: (number: number) => void): Promise<void> {
    const changes = this.#changes.pop();
    if (changes !== undefined) {
      await this.tree.undoTo(changes, this.#pause);
      call(this.#remove());
      return;
    }
    const span = this.#spans.pop() as Span;
    await this.tree.swap(span.changes, "undo", this.#pause);
    this.#ahead.push(span);
    for (let left = span.steps.length; left > 0; left--) {
      if (this.#pause.isLong) await this.#pause.ifLong();
      call(this.#remove());
    }
  }

  #add(step: number): void {
    const number = numberIn(step);
    this.#places[number] = this.#length;
    this.#steps[this.#length++] = step;
    this.#heads.add(number);
    this.#graph.eachParent(number, (parent) => this.#heads.delete(parent));
  }

  #remove(): number {
    const number = numberIn(this.#steps[--this.#length] as number);
    this.#places[number] = -1;
    this.#heads.delete(number);
    // The parent of an undone delta is a head again, unless another child of it is applied.
    const isThere = (other: number): boolean => (this.#places[other] as number) >= 0;
    this.#graph.eachParent(number, (parent) => {
      if (isThere(parent) && !this.#graph.children(parent).some(isThere)) this.#heads.add(parent);
    });
    return number;
  }
}

function numberIn(step: number): number {
  return step < 0 ? ~step : step;
}

/** Numbers in ascending order; mostly they descend. */
async function ascending(numbers: Uint32Array): Promise<Uint32Array> {
  const isDescending = numbers.every((number, at) => at === 0 || (numbers[at - 1] as number) > number);
  if (isDescending) return numbers.reverse();
  return Uint32Array.from(await sorted(Array.from(numbers), (a, b) => a - b));
}
