/** Blocks that were read before, least recently used first out, bounded in bytes. */

import type { BlockHandle } from "../format/footer.js";

interface Cached {
  readonly value: object;
  readonly bytes: number;
}

export class BlockCache {
  readonly #blocks = new Map<BlockHandle, Cached>();
  readonly #capacity: number;
  #bytes = 0;

  /** @param capacity bytes of all blocks together; 0 for none */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(handle: BlockHandle): object | undefined {
    const found = this.#blocks.get(handle);
    if (found === undefined) return undefined;
    this.#blocks.delete(handle);
    this.#blocks.set(handle, found);
    return found.value;
  }

  /** @param bytes what the block takes in memory */
  set(handle: BlockHandle, value: object, bytes: number): void {
    if (bytes > this.#capacity) return;
    this.#bytes += bytes - (this.#blocks.get(handle)?.bytes ?? 0);
    this.#blocks.set(handle, { value, bytes });
    for (const [oldest, { bytes: freed }] of this.#blocks) {
      if (this.#bytes <= this.#capacity) break;
      this.#blocks.delete(oldest);
      this.#bytes -= freed;
    }
  }
}
