/** The graph of a context's deltas, and the sets of deltas that one follows. */
import { fromHex } from "../../bytes/hex.js";
import { Heap } from "../../collections/heap.js";
import { CausalOrder } from "../../node/history/order.js";
import type { ReplayedDelta } from "./delta.js";

/** Deltas in causal order: the oldest has the number 0, and a delta a greater number than those that it follows. */
export class DeltaGraph {
  /** The deltas by their numbers. */
  readonly deltas: readonly ReplayedDelta[];
  readonly #numbers = new Map<string, number>();
  readonly #parents: readonly (readonly number[])[];
  readonly #children: readonly (readonly number[])[];

  constructor(deltas: readonly ReplayedDelta[]) {
    const order = new CausalOrder();
    const byNumber: ReplayedDelta[] = [];
    for (const delta of deltas) {
      const number = order.add({
        id: fromHex(delta.id),
        rank: delta.clock.time,
        parents: delta.parents.map(fromHex),
      });
      byNumber[number] = delta;
    }
    this.deltas = [...order.numbersNewestFirst()]
      .reverse()
      .map((number) => byNumber[number] as ReplayedDelta);
    for (const [number, { id }] of this.deltas.entries()) this.#numbers.set(id, number);
    const children: number[][] = this.deltas.map(() => []);
    this.#parents = this.deltas.map(({ parents }, number) =>
      // A parent that comes later belongs to a circle, which only forged deltas make.
      parents.flatMap((id) => {
        const parent = this.#numbers.get(id);
        return parent === undefined || parent >= number ? [] : [parent];
      }),
    );
    for (const [number, parents] of this.#parents.entries())
      for (const parent of parents) children[parent]?.push(number);
    this.#children = children;
  }

  /** The number of a delta; undefined if it is not there. */
  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** The numbers of the deltas that a delta names as its parents, if they are there. */
  parents(number: number): readonly number[] {
    return this.#parents[number] ?? [];
  }

  /** Returns true if a delta follows one that is not there. */
  lacksParents(number: number): boolean {
    return (this.deltas[number]?.parents.length ?? 0) > this.parents(number).length;
  }

  /** The numbers of the deltas that no other one follows. */
  heads(): number[] {
    return [...this.deltas.keys()].filter((number) => this.children(number).length === 0);
  }

  /** Those of some deltas that none of the others follows. */
  headsAmong(numbers: readonly number[]): readonly number[] {
    const heads = new Set(numbers);
    const [least = 0] = numbers.length === 0 ? [0] : [numbers.reduce((a, b) => Math.min(a, b))];
    const seen = new Set<number>();
    for (const open = [...heads]; open.length > 0; )
      for (const parent of this.parents(open.pop() as number)) {
        heads.delete(parent);
        if (parent < least || seen.has(parent)) continue;
        seen.add(parent);
        open.push(parent);
      }
    return [...heads];
  }

  /** The numbers of the deltas that name a delta as a parent. */
  children(number: number): readonly number[] {
    return this.#children[number] ?? [];
  }

  /** Returns true if a delta follows another one. */
  follows(later: number, earlier: number): boolean {
    const seen = new Set([later]);
    for (const open = [later]; open.length > 0; )
      for (const parent of this.parents(open.pop() as number)) {
        if (parent === earlier) return true;
        if (parent < earlier || seen.has(parent)) continue;
        seen.add(parent);
        open.push(parent);
      }
    return false;
  }

  /** The deltas that neither follow one nor are followed by it: those whose numbers are nearest, about `most`. */
  *beside(number: number, most: number): Generator<number, void, undefined> {
    const before = new Set<number>();
    const after = new Set([number]);
    const lowest = Math.max(0, number - most);
    for (const open = [number]; open.length > 0; )
      for (const parent of this.parents(open.pop() as number)) {
        if (parent < lowest || before.has(parent)) continue;
        before.add(parent);
        open.push(parent);
      }
    for (let other = number - 1; other >= lowest; other--) if (!before.has(other)) yield other;
    const highest = Math.min(this.deltas.length, number + most);
    for (let other = number + 1; other < highest; other++)
      if (this.parents(other).some((parent) => after.has(parent))) after.add(other);
      else yield other;
  }

  /**
   * The differences between two sets of deltas, each given by its newest ones and containing all that these follow: the numbers
   * that only the first has, and those that only the second has. Both descend.
   */
  difference(first: Iterable<number>, second: Iterable<number>): readonly [number[], number[]] {
    const marks = new Map<number, number>();
    const heap = new Heap<number>((a, b) => b - a);
    let open = 0;
    const mark = (number: number, bits: number): void => {
      const before = marks.get(number);
      const after = (before ?? 0) | bits;
      if (before === after) return;
      marks.set(number, after);
      if (before === undefined) heap.push(number);
      if (before !== undefined && before !== 3 && after === 3) open--;
      if (before === undefined && after !== 3) open++;
    };
    for (const number of first) mark(number, 1);
    for (const number of second) mark(number, 2);
    const only: [number[], number[]] = [[], []];
    while (open > 0) {
      const number = heap.pop() as number;
      const bits = marks.get(number) as number;
      if (bits !== 3) {
        open--;
        only[bits - 1 === 0 ? 0 : 1].push(number);
      }
      for (const parent of this.parents(number)) mark(parent, bits);
    }
    return only;
  }
}
