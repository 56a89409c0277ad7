/** A cache that evicts the least recently used items. Its capacity is a number of items, or a number of bytes. */
export class LruCache<T> {
  readonly #capacity: number;
  /** The least recently used item first. */
  readonly #items = new Map<string, { readonly value: T; readonly size: number }>();
  #size = 0;

  /** @param capacity the most that the sizes of all items may sum up to */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Returns an item and marks it as used. */
  get(key: string): T | undefined {
    const item = this.#items.get(key);
    if (item === undefined) return undefined;
    this.#items.delete(key);
    this.#items.set(key, item);
    return item.value;
  }

  /**
   * Adds or replaces an item. An item that is larger than the capacity is not kept.
   *
   * @param size in bytes; 1 unless given, so that the capacity counts items
   */
  set(key: string, value: T, size = 1): void {
    this.delete(key);
    if (size > this.#capacity) return;
    this.#items.set(key, { value, size });
    this.#size += size;
    for (const [oldest] of this.#items) {
      if (this.#size <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  /** Returns whether an item of this size fits without the eviction of others. */
  hasRoom(size = 1): boolean {
    return this.#size + size <= this.#capacity;
  }

  /** Removes an item, if it is in the cache. */
  delete(key: string): void {
    this.#size -= this.#items.get(key)?.size ?? 0;
    this.#items.delete(key);
  }
}
