/** Buffers that columns collect the cells of a chunk in. */
import type { Bindings, Vector } from "../binding.js";

/** Rows of a chunk, as DuckDB has them at most. */
export const CHUNK_ROWS = 2_048;

/** Which cells of a column are not null: a bit for each. */
export class Validity {
  #bits = new Uint8Array(CHUNK_ROWS >> 3);

  /** Marks a cell as not null. */
  set(at: number): void {
    const byte = at >> 3;
    if (byte >= this.#bits.length) this.#bits = grown(this.#bits, byte + 1);
    this.#bits[byte] = (this.#bits[byte] as number) | (1 << (at & 7));
  }

  has(at: number): boolean {
    return ((this.#bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
  }

  clear(): void {
    this.#bits.fill(0);
  }

  copyTo(bindings: Bindings, vector: Vector, cells: number): void {
    if (cells === 0) return;
    // DuckDB keeps the bits in words of 64.
    const bytes = Math.ceil(cells / 64) * 8;
    if (bytes > this.#bits.length) this.#bits = grown(this.#bits, bytes);
    bindings.vector_ensure_validity_writable(vector);
    bindings.copy_data_to_vector_validity(vector, 0, this.#bits.buffer, this.#bits.byteOffset, bytes);
  }
}

/** Texts of a column, one after another in UTF-8. */
export class Texts {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  /** Where each text ends; where it begins is the end of the one before. */
  readonly #cells: number[] = [];
  readonly #ends: number[] = [];

  /** Adds bytes as lower-case hex. */
  addHex(at: number, bytes: Uint8Array): void {
    const room = this.#room(2 * bytes.length);
    let to = this.#length;
    for (let from = 0; from < bytes.length; from++) {
      const byte = bytes[from] as number;
      room[to++] = DIGITS[byte >> 4] as number;
      room[to++] = DIGITS[byte & 15] as number;
    }
    this.#end(at, to);
  }

  /** Adds a text. */
  addText(at: number, text: string): void {
    // A character of UTF-16 takes three bytes at most.
    const room = this.#room(3 * text.length);
    const { written } = encoder.encodeInto(text, room.subarray(this.#length));
    this.#end(at, this.#length + written);
  }

  clear(): void {
    this.#length = 0;
    this.#cells.length = 0;
    this.#ends.length = 0;
    if (this.#bytes.length > KEPT) this.#bytes = new Uint8Array(64 * 1024);
  }

  copyTo(bindings: Bindings, vector: Vector): void {
    let start = 0;
    for (let index = 0; index < this.#cells.length; index++) {
      const end = this.#ends[index] as number;
      const at = this.#cells[index] as number;
      bindings.vector_assign_string_element_len(vector, at, this.#bytes.subarray(start, end));
      start = end;
    }
  }

  #room(bytes: number): Uint8Array {
    const needed = this.#length + bytes;
    if (needed > this.#bytes.length) this.#bytes = grown(this.#bytes, needed);
    return this.#bytes;
  }

  #end(at: number, end: number): void {
    this.#length = end;
    this.#cells.push(at);
    this.#ends.push(end);
  }
}

/** Bytes that a buffer keeps when it is cleared: a few large values must not cost memory for ever. */
const KEPT = 1024 * 1024;
const DIGITS = new TextEncoder().encode("0123456789abcdef");
const encoder = new TextEncoder();

/** A copy with room for `needed` bytes and as many again. */
export function grown(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(2 * bytes.length, needed + (-needed & 7)));
  larger.set(bytes);
  return larger;
}
