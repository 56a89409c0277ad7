/** Builds a byte string from the fields of RocksDB's formats. */

import { grown } from "../../bytes/bytes.js";

const FIRST_CAPACITY = 256;
/** Shorter parts are copied byte by byte. */
const SHORT = 96;

export class ByteWriter {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes so far, as a view that later writes may change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Discards the bytes so far. */
  clear(): void {
    this.#length = 0;
  }

  byte(value: number): this {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
    return this;
  }

  /** Writes four bytes, little-endian. */
  u32(value: number): this {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  /** Writes a safe integer in eight bytes, little-endian. */
  u64(value: number): this {
    return this.u32(value % 2 ** 32).u32(Math.floor(value / 2 ** 32));
  }

  /** Writes a safe integer, seven bits in each byte, lowest first. */
  varint(value: number): this {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    return this.byte(rest);
  }

  raw(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
    return this;
  }

  /**
   * Writes the bytes from `start` to before `end`. Short parts are copied byte by byte, which is faster than a view.
   */
  part(bytes: Uint8Array, start: number, end: number): this {
    const at = this.#reserve(end - start);
    if (end - start > SHORT) this.#bytes.set(bytes.subarray(start, end), at);
    else for (let from = start; from < end; from++) this.#bytes[at + from - start] = bytes[from] as number;
    return this;
  }

  /** Writes the length, then the bytes. */
  prefixed(bytes: Uint8Array): this {
    return this.varint(bytes.length).raw(bytes);
  }

  /** Makes room for so many new bytes, and returns their place. */
  #reserve(size: number): number {
    const at = this.#length;
    this.#length += size;
    if (this.#length > this.#bytes.length) {
      this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length)));
      this.#view = new DataView(this.#bytes.buffer);
    }
    return at;
  }
}
