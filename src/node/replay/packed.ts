/** Byte strings one after another in large blocks: an array of its own costs each a hundred bytes. */
import { copyBytes } from "../../bytes/bytes.js";

/** Bytes of a block. */
const BLOCK = 1 << 20;

/** Where a byte string lies. */
export interface Place {
  readonly block: number;
  readonly offset: number;
  readonly length: number;
}

/** Byte strings that are kept and never removed. */
export class Packed {
  readonly #blocks: Uint8Array[] = [];
  #used = BLOCK;

  /** Keeps a copy of some bytes. */
  add(bytes: Uint8Array): Place {
    const { length } = bytes;
    if (length > BLOCK / 4) {
      this.#blocks.push(copyBytes(bytes));
      this.#used = BLOCK;
      return { block: this.#blocks.length - 1, offset: 0, length };
    }
    if (this.#used + length > BLOCK) {
      this.#blocks.push(new Uint8Array(BLOCK));
      this.#used = 0;
    }
    const place = { block: this.#blocks.length - 1, offset: this.#used, length };
    (this.#blocks[place.block] as Uint8Array).set(bytes, place.offset);
    this.#used += length;
    return place;
  }

  /** The bytes of a place, as a view. */
  at({ block, offset, length }: Place): Uint8Array {
    return (this.#blocks[block] as Uint8Array).subarray(offset, offset + length);
  }
}
