/** A priority queue: the item that comes first by a comparison is taken first. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  /** @param compare negative if `a` comes before `b` */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The first item, which stays; undefined if the heap is empty. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item. */
  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#compare(item, items[above] as T) >= 0) break;
      items[at] = items[above] as T;
      at = above;
    }
    items[at] = item;
  }

  /** Removes the first item and returns it; undefined if the heap is empty. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= items.length) break;
      if (below + 1 < items.length && this.#compare(items[below + 1] as T, items[below] as T) < 0) below++;
      if (this.#compare(last, items[below] as T) <= 0) break;
      items[at] = items[below] as T;
      at = below;
    }
    items[at] = last;
    return first;
  }
}
