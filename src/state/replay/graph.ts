/** The graph of a context's deltas, and the ancestors of a delta. */
import { fromHex } from "../../bytes/hex.js";
import type { IdTable } from "../../bytes/id-table.js";
import { NumberColumn, NumberList } from "../../collections/columns.js";
import { GroupedNumbers } from "../../collections/grouped-numbers.js";
import { LruCache } from "../../collections/lru-cache.js";
import { CausalOrder } from "../../node/history/order.js";
import { Pause } from "../../pause.js";
import type { ReplayedDelta } from "./packed-deltas.js";

/** Deltas in causal order: the oldest has the number 0, and each delta has a greater number than its parents. */
export class DeltaGraph {
  /** The deltas by their numbers. */
  readonly deltas: readonly ReplayedDelta[];
  /** True if one of them is the context's first delta, which no delta precedes. */
  readonly hasFirst: boolean;
  /** True if a delta follows one that is not there. */
  readonly isIncomplete: boolean;
  readonly #ids: IdTable;
  /** By the number of an id: the number of its delta; -1 for a delta that is not there. */
  readonly #numbers: Int32Array;
  readonly #parents: GroupedNumbers;
  readonly #children: GroupedNumbers;
  /** 1 for each delta that follows one that is not there. */
  readonly #lacking: Uint8Array;
  /** Marks of deltas during a walk: zeros before it and after it. */
  readonly #marks: Uint8Array;
  /** Marks of the descendants of a delta, from that delta on, as far as they are known. */
  readonly #followers = new LruCache<{ upTo: number; readonly marks: Uint8Array }>(KEPT);

  private constructor(
    ids: IdTable,
    deltas: readonly ReplayedDelta[],
    numbers: Int32Array,
    parents: GroupedNumbers,
    children: GroupedNumbers,
    lacking: Uint8Array,
    hasFirst: boolean,
  ) {
    this.hasFirst = hasFirst;
    this.isIncomplete = lacking.includes(1);
    this.#ids = ids;
    this.deltas = deltas;
    this.#numbers = numbers;
    this.#parents = parents;
    this.#children = children;
    this.#lacking = lacking;
    this.#marks = new Uint8Array(deltas.length);
  }

  /**
   * Puts deltas in order.
   *
   * @param ids the ids of deltas
   */
  static async of(ids: IdTable, deltas: readonly ReplayedDelta[]): Promise<DeltaGraph> {
    const pause = new Pause();
    const order = new CausalOrder(ids);
    const byId: ReplayedDelta[] = [];
    const named = new NumberColumn();
    for (const delta of deltas) {
      if (pause.isLong) await pause.ifLong();
      const { number, time, follows } = delta;
      order.addNumbered(number, time, follows);
      named.set(number, follows.length);
      byId[number] = delta;
    }
    const inOrder: number[] = [];
    await pause.ifLong();
    for (const id of order.numbersNewestFirst()) {
      if (pause.isLong) await pause.ifLong();
      inOrder.push(id);
    }
    inOrder.reverse();
    const numbers = new Int32Array(ids.size).fill(-1);
    const inOrderOf: ReplayedDelta[] = [];
    for (const id of inOrder) {
      if (pause.isLong) await pause.ifLong();
      numbers[id] = inOrderOf.length;
      inOrderOf.push(byId[id] as ReplayedDelta);
    }
    const parents = await GroupedNumbers.of(inOrder.length, async (add) => {
      for (const [number, id] of inOrder.entries()) {
        if (pause.isLong) await pause.ifLong();
        for (const idOf of order.parentsOf(id)) {
          const parent = numbers[idOf] as number;
          // A parent that comes later belongs to a cycle, which only forged deltas form.
          if (parent >= 0 && parent < number) add(number, parent);
        }
      }
    });
    const children = await GroupedNumbers.of(inOrder.length, async (add) => {
      for (const number of inOrder.keys()) {
        if (pause.isLong) await pause.ifLong();
        for (const parent of parents.of(number)) add(parent, number);
      }
    });
    const lacking = new Uint8Array(inOrder.length);
    let hasFirst = false;
    for (const [number, id] of inOrder.entries()) {
      if (pause.isLong) await pause.ifLong();
      if (named.get(id) > parents.of(number).length) lacking[number] = 1;
      hasFirst ||= named.get(id) === 0;
    }
    return new DeltaGraph(ids, inOrderOf, numbers, parents, children, lacking, hasFirst);
  }

  /** The number of a delta; undefined if it is not there. */
  numberOf(id: string): number | undefined {
    const place = this.#ids.find(fromHex(id));
    const number = this.#numbers[place];
    return number === undefined || number < 0 ? undefined : number;
  }

  /** The numbers of the deltas that a delta names as its parents, if they are there. */
  parents(number: number): Uint32Array {
    return this.#parents.of(number);
  }

  /** Calls with each of these. */
  eachParent(number: number, call: (parent: number) => void): void {
    this.#parents.each(number, call);
  }

  /** Returns true if a delta follows one that is not there. */
  lacksParents(number: number): boolean {
    return this.#lacking[number] === 1;
  }

  /** True if a delta carries the root hash of its author's state. No delta of core-1.0 does. */
  get hasHashes(): boolean {
    return this.deltas.some(({ witness, expected }) => (witness ?? expected) !== undefined);
  }

  /** The numbers of the deltas that no other one follows. */
  heads(): Promise<readonly number[]> {
    return this.headsWhere(() => true);
  }

  /** The deltas of a set that no other delta of the set follows. */
  async headsWhere(isIn: (number: number) => boolean): Promise<readonly number[]> {
    const heads: number[] = [];
    const isFollowed = new Uint8Array(this.deltas.length);
    const follow = (parent: number): void => {
      isFollowed[parent] = 1;
    };
    const pause = new Pause();
    for (let number = this.deltas.length - 1; number >= 0; number--) {
      if (number % FEW === 0 && pause.isLong) await pause.ifLong();
      const isHead = isFollowed[number] === 0 && isIn(number);
      if (isHead) heads.push(number);
      if (isHead || isFollowed[number] === 1) this.eachParent(number, follow);
    }
    return heads.reverse();
  }

  /** The deltas of a list that no other delta of the list descends from. */
  async headsAmong(numbers: readonly number[]): Promise<readonly number[]> {
    const heads = new Set(numbers);
    const least = numbers.reduce((a, b) => Math.min(a, b), this.deltas.length);
    await this.#dropAncestors(heads, numbers, least, new Pause());
    return [...heads];
  }

  /** The numbers of the deltas that name a delta as a parent. */
  children(number: number): Uint32Array {
    return this.#children.of(number);
  }

  /** Returns true if a delta follows another one. */
  async follows(later: number, earlier: number, pause: Pause): Promise<boolean> {
    if (later - earlier > NEAR) return this.#followsFar(later, earlier, pause);
    return (await this.notFollowed([later], [earlier], pause)).length === 0;
  }

  /** The same by marks of all descendants of the earlier delta. The marks also serve for later calls. */
  async #followsFar(later: number, earlier: number, pause: Pause): Promise<boolean> {
    const known = this.#followers.get(`${earlier}`) ?? {
      upTo: earlier,
      marks: new Uint8Array(this.deltas.length - earlier),
    };
    this.#followers.set(`${earlier}`, known);
    const { marks } = known;
    marks[0] = 1;
    while (known.upTo < later) {
      if (pause.isLong) await pause.ifLong();
      const number = known.upTo + 1;
      for (const parent of this.parents(number))
        if (parent >= earlier && marks[parent - earlier] === 1) marks[number - earlier] = 1;
      known.upTo = number;
    }
    return marks[later - earlier] === 1;
  }

  /** Those of some deltas, given in ascending order, that others are not and do not follow. */
  async notFollowed(
    by: readonly number[],
    numbers: readonly number[],
    pause: Pause,
  ): Promise<readonly number[]> {
    const left = new Set(numbers);
    for (const number of by) left.delete(number);
    await this.#dropAncestors(left, by, numbers[0] ?? 0, pause);
    return [...left];
  }

  /** Drops from a set, none of which is below `least`, the ancestors of some deltas. */
  async #dropAncestors(left: Set<number>, of: Iterable<number>, least: number, pause: Pause): Promise<void> {
    const seen = new Set<number>();
    for (const open = [...of]; open.length > 0 && left.size > 0; ) {
      if (seen.size % FEW === FEW - 1 && pause.isLong) await pause.ifLong();
      for (const parent of this.parents(open.pop() as number)) {
        left.delete(parent);
        if (parent < least || seen.has(parent)) continue;
        seen.add(parent);
        open.push(parent);
      }
    }
  }

  /** The concurrent deltas of a delta: about `most`, the nearest by number. */
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
   * The differences between two sets of deltas. Each set is given by its heads and contains all their ancestors.
   * Returns the numbers that only the first set has, and the numbers that only the second has, both descending.
   */
  async difference(
    first: Iterable<number>,
    second: Iterable<number>,
    pause: Pause,
  ): Promise<readonly [Uint32Array, Uint32Array]> {
    const marks = this.#marks;
    /** Marked deltas below the walk that only one of the sets has. */
    let open = 0;
    let [highest, lowest] = [-1, this.deltas.length];
    const mark = (number: number, bits: number): void => {
      const before = marks[number] as number;
      const after = before | bits;
      marks[number] = after;
      if (before === 0 && after !== BOTH) open++;
      if (before !== 0 && before !== BOTH && after === BOTH) open--;
      highest = Math.max(highest, number);
      lowest = Math.min(lowest, number);
    };
    for (const number of first) mark(number, 1);
    for (const number of second) mark(number, 2);
    const [onlyFirst, onlySecond] = [new NumberList(), new NumberList()];
    let bits = 0;
    const markParent = (parent: number): void => mark(parent, bits);
    for (let number = highest; open > 0; number--) {
      if (number % FEW === 0 && pause.isLong) await pause.ifLong();
      bits = marks[number] as number;
      if (bits === 0) continue;
      if (bits !== BOTH) {
        open--;
        (bits === 1 ? onlyFirst : onlySecond).push(number);
      }
      this.eachParent(number, markParent);
    }
    marks.fill(0, lowest, highest + 1);
    return [onlyFirst.view, onlySecond.view];
  }
}

/** Deltas between two looks at the clock. */
const FEW = 256;

/** Numbers of deltas that are near: a walk between them costs less than marks. */
const NEAR = 4096;

/** The number of deltas whose descendants are kept. */
const KEPT = 4;

/** The mark of a delta that both sets have. */
const BOTH = 3;
