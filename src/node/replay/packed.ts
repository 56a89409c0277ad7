/** Byte strings one after another in large blocks: an array of its own costs each a hundred bytes. */
import { copyBytes } from "../../bytes/bytes.js";

/** Bytes of a block. */
const BLOCK = 1 << 20;

/** Byte strings, numbered from 0 in the order in which they are added. None can be removed. */
export class Packed {
  readonly #blocks: Uint8Array[] = [];
  /** The start of each: the number of the block times its size, and the offset in the block. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  #used = BLOCK;

  /** Keeps a copy of some bytes. Returns its number. */
  add(bytes: Uint8Array): number {
    const { length } = bytes;
    this.#lengths.push(length);
    if (length > BLOCK / 4) {
      this.#used = BLOCK;
      this.#starts.push(this.#blocks.push(copyBytes(bytes)) * BLOCK - BLOCK);
      return this.#starts.length - 1;
    }
    if (this.#used + length > BLOCK) {
      this.#blocks.push(new Uint8Array(BLOCK));
      this.#used = 0;
    }
    (this.#blocks.at(-1) as Uint8Array).set(bytes, this.#used);
    this.#starts.push((this.#blocks.length - 1) * BLOCK + this.#used);
    this.#used += length;
    return this.#starts.length - 1;
  }

  /** The bytes of a number, as a view. */
  at(number: number): Uint8Array {
    const start = this.#starts[number] as number;
    const offset = start % BLOCK;
    const block = this.#blocks[(start - offset) / BLOCK] as Uint8Array;
    return new Uint8Array(block.buffer, offset, this.#lengths[number]);
  }
}
