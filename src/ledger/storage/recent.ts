/** What was used of late, up to a number of bytes. */
export class Recent<T> {
  readonly #capacity: number;
  /** What was not used for longest first. */
  readonly #items = new Map<string, { readonly value: T; readonly bytes: number }>();
  #bytes = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(name: string): T | undefined {
    const item = this.#items.get(name);
    if (item === undefined) return undefined;
    this.#items.delete(name);
    this.#items.set(name, item);
    return item.value;
  }

  set(name: string, value: T, bytes: number): void {
    this.delete(name);
    if (bytes > this.#capacity) return;
    this.#items.set(name, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#items) {
      if (this.#bytes <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(name: string): void {
    this.#bytes -= this.#items.get(name)?.bytes ?? 0;
    this.#items.delete(name);
  }
}
