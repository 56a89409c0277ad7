/** A cache of things that are made once. It drops the least recently used ones. */

export class Kept {
  readonly #most: number;
  /** The least recently used first. */
  readonly #things = new Map<string, unknown>();

  /** @param most the most things that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The thing with a name, made if the cache does not have it. A promise that is rejected is not kept: the next call
   * tries again.
   */
  get<T>(name: string, make: () => T): T {
    const thing = this.#things.has(name) ? (this.#things.get(name) as T) : make();
    this.#things.delete(name);
    this.#things.set(name, thing);
    if (thing instanceof Promise)
      thing.catch(() => {
        if (this.#things.get(name) === thing) this.#things.delete(name);
      });
    for (const [oldest] of this.#things) {
      if (this.#things.size <= this.#most) break;
      this.#things.delete(oldest);
    }
    return thing;
  }

  /** Drops all. */
  clear(): void {
    this.#things.clear();
  }
}
