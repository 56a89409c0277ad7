/** The children of an entity in a replay. Entities are numbers. */

/** The order of children in which their hashes count. */
export type ChildOrder = "id" | "creation";

/** Changed children that are put into their places one by one: of more, all are sorted. */
const FEW = 16;

/** The children of an entity that live, in the order in which their hashes count. */
export class ChildSet {
  readonly #creation = new Map<number, bigint>();
  readonly #compareIds: (a: number, b: number) => number;
  readonly #order: ChildOrder;
  /** The children in their order, but for those that changed since. */
  #sorted: number[] = [];
  readonly #changed = new Set<number>();

  /** @param compareIds compares the ids of two entities */
  constructor(order: ChildOrder, compareIds: (a: number, b: number) => number) {
    this.#order = order;
    this.#compareIds = compareIds;
  }

  createdAt(id: number): bigint | undefined {
    return this.#creation.get(id);
  }

  /** The children in no order. */
  ids(): IterableIterator<number> {
    return this.#creation.keys();
  }

  get size(): number {
    return this.#creation.size;
  }

  /** Adds a child, gives it another time of creation, or removes it. */
  set(id: number, createdAt: bigint | undefined): void {
    if (createdAt === undefined) this.#creation.delete(id);
    else this.#creation.set(id, createdAt);
    this.#changed.add(id);
  }

  /** The children in their order. Sorting is put off until someone asks. */
  sorted(): readonly number[] {
    const changed = this.#changed;
    if (changed.size === 0) return this.#sorted;
    const sorted = this.#sorted.filter((id) => !changed.has(id));
    const living = [...changed].filter((id) => this.#creation.has(id));
    if (living.length <= FEW) for (const id of living) sorted.splice(this.#placeOf(id, sorted), 0, id);
    else {
      for (const id of living) sorted.push(id);
      sorted.sort((a, b) => this.#compare(a, b));
    }
    changed.clear();
    this.#sorted = sorted;
    return sorted;
  }

  #compare(a: number, b: number): number {
    if (this.#order === "creation") {
      const [one, other] = [this.#creation.get(a) ?? 0n, this.#creation.get(b) ?? 0n];
      if (one !== other) return one < other ? -1 : 1;
    }
    return this.#compareIds(a, b);
  }

  #placeOf(id: number, sorted: readonly number[]): number {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(sorted[middle] as number, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
