/** Buffers that collect the cells of a column for a chunk. */
import { grown } from "../../bytes/bytes.js";
import type { Bindings, Vector } from "../binding.js";

/** The most rows of a chunk in DuckDB. */
export const CHUNK_ROWS = 2_048;

/** The cells of a column that are not null: a bit for each. */
export class Validity {
  #bits = new Uint8Array(CHUNK_ROWS >> 3);

  /** Marks a cell as not null. */
  set(at: number): void {
    const byte = at >> 3;
    if (byte >= this.#bits.length) this.#bits = enlarged(this.#bits, byte + 1);
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
    if (bytes > this.#bits.length) this.#bits = enlarged(this.#bits, bytes);
    bindings.vector_ensure_validity_writable(vector);
    bindings.copy_data_to_vector_validity(vector, 0, this.#bits.buffer, this.#bits.byteOffset, bytes);
  }
}

/** Texts of a column, one after another in UTF-8, each from an even offset. */
export class Texts {
  #bytes = new Uint8Array(LEAST);
  /** The same bytes, two by two. */
  #pairs = new Uint16Array(this.#bytes.buffer);
  #length = 0;
  /** For each text its cell, its beginning and its end. */
  #places = new Uint32Array(48);
  #count = 0;

  /** Adds bytes as lower-case hex. */
  addHex(at: number, bytes: Uint8Array): void {
    const start = this.#room(2 * bytes.length);
    const pairs = this.#pairs;
    let to = start >> 1;
    for (let from = 0; from < bytes.length; from++) pairs[to++] = PAIRS[bytes[from] as number] as number;
    this.#end(at, start, 2 * to);
  }

  /** Adds a text. */
  addText(at: number, text: string): void {
    // A character of UTF-16 takes three bytes at most.
    const start = this.#room(3 * text.length);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(start));
    this.#end(at, start, start + written);
  }

  clear(): void {
    this.#length = 0;
    this.#count = 0;
    if (this.#bytes.length > KEPT) this.#use(new Uint8Array(LEAST));
  }

  copyTo(bindings: Bindings, vector: Vector): void {
    const bytes = this.#bytes;
    const places = this.#places;
    for (let index = 0; index < 3 * this.#count; index += 3) {
      const text = bytes.subarray(places[index + 1], places[index + 2]);
      bindings.vector_assign_string_element_len(vector, places[index] as number, text);
    }
  }

  /** Returns the offset of the next text, and makes room for so many bytes. */
  #room(bytes: number): number {
    const start = this.#length + (this.#length & 1);
    const needed = start + bytes;
    if (needed > this.#bytes.length) this.#use(enlarged(this.#bytes, needed));
    return start;
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#pairs = new Uint16Array(bytes.buffer);
  }

  #end(at: number, start: number, end: number): void {
    const to = 3 * this.#count++;
    if (to === this.#places.length) this.#places = grown(this.#places, new Uint32Array(2 * to));
    this.#places[to] = at;
    this.#places[to + 1] = start;
    this.#places[to + 2] = end;
    this.#length = end;
  }
}

/** The most bytes that a cleared buffer keeps: a few large values must not hold memory forever. */
const KEPT = 1024 * 1024;

/** Bytes that a buffer has at first: most columns of a wide table have few texts or none. */
const LEAST = 1024;

const encoder = new TextEncoder();

/** The two digits of each byte, as they lie in memory. */
const PAIRS = new Uint16Array(
  Uint8Array.from({ length: 512 }, (_, at) =>
    (at >> 1)
      .toString(16)
      .padStart(2, "0")
      .charCodeAt(at & 1),
  ).buffer,
);

/** A copy with room for `needed` bytes, and for twice as many as before. */
export function enlarged(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  return grown(bytes, new Uint8Array(Math.max(2 * bytes.length, needed + (-needed & 7))));
}
