import { compareRanges } from "../bytes/order.js";

const PER_BLOCK = 4096;

/** Keeps many records of one size in little memory, and gives them in the order of their bytes. */
export class Records {
  readonly #size: number;
  readonly #blocks: Uint8Array[] = [];
  #count = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Adds a record: its parts, one after another. */
  add(...parts: readonly Uint8Array[]): void {
    const slot = this.#count % PER_BLOCK;
    if (slot === 0) this.#blocks.push(new Uint8Array(PER_BLOCK * this.#size));
    const block = this.#blocks.at(-1) as Uint8Array;
    let at = slot * this.#size;
    for (const part of parts) {
      block.set(part, at);
      at += part.length;
    }
    this.#count++;
  }

  /** All records, in the order of their bytes. */
  *sorted(): Generator<Uint8Array, void, undefined> {
    const size = this.#size;
    const order = new Uint32Array(this.#count).map((_, at) => at);
    const block = (record: number) => this.#blocks[Math.floor(record / PER_BLOCK)] as Uint8Array;
    const start = (record: number) => (record % PER_BLOCK) * size;
    order.sort((a, b) => {
      return compareRanges(block(a), start(a), start(a) + size, block(b), start(b), start(b) + size);
    });
    for (const record of order) yield block(record).subarray(start(record), start(record) + size);
  }
}
