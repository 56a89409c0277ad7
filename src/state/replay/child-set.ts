/** The children of an entity in a replay. */

/** The order of children in which their hashes count. */
export type ChildOrder = "id" | "creation";

/** The children of an entity that live, in the order in which their hashes count. */
export class ChildSet {
  readonly #creation = new Map<string, bigint>();
  /** Creation time and id, or the id alone, in hex. */
  readonly #sorted: string[] = [];
  readonly #order: ChildOrder;

  constructor(order: ChildOrder) {
    this.#order = order;
  }

  createdAt(id: string): bigint | undefined {
    return this.#creation.get(id);
  }

  *ids(): Generator<string, void, undefined> {
    for (const key of this.#sorted) yield key.slice(-64);
  }

  get size(): number {
    return this.#sorted.length;
  }

  set(id: string, createdAt: bigint): void {
    this.delete(id);
    this.#creation.set(id, createdAt);
    const key = this.#key(id, createdAt);
    this.#sorted.splice(this.#placeOf(key), 0, key);
  }

  delete(id: string): void {
    const createdAt = this.#creation.get(id);
    if (createdAt === undefined) return;
    this.#creation.delete(id);
    this.#sorted.splice(this.#placeOf(this.#key(id, createdAt)), 1);
  }

  #key(id: string, createdAt: bigint): string {
    return this.#order === "id" ? id : createdAt.toString(16).padStart(16, "0") + id;
  }

  #placeOf(key: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
