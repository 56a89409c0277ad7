/** A growing buffer for one value. Finished values are views into its slab, which many values share. */

import { copyBytes } from "../bytes/bytes.js";
import { HIGH, LOW, whole, words } from "./words.js";

const SLAB_SIZE = 16 * 1024;

/** UTF-16 units. */
const SHORT_TEXT = 48;

const encoder = new TextEncoder();

/** A growing buffer for one value, from `begin` to `finish` or `take`. */
export class Writer {
  readonly #size: number;
  #slab: Uint8Array<ArrayBuffer>;
  #start = 0;
  #at = 0;

  constructor(size: number = SLAB_SIZE) {
    this.#size = size;
    this.#slab = new Uint8Array(size);
  }

  /** Writes one byte. */
  u8(value: number): void {
    this.#reserve(1);
    this.#slab[this.#at++] = value;
  }

  /** Writes 4 bytes, little-endian. */
  u32(value: number): void {
    this.#reserve(4);
    const slab = this.#slab;
    slab[this.#at++] = value;
    slab[this.#at++] = value >>> 8;
    slab[this.#at++] = value >>> 16;
    slab[this.#at++] = value >>> 24;
  }

  /** Writes 8 bytes, little-endian. */
  u64(value: bigint): void {
    whole[0] = value;
    this.u32(words[LOW] as number);
    this.u32(words[HIGH] as number);
  }

  /** Writes the bytes without a length. */
  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#slab.set(value, this.#at);
    this.#at += value.length;
  }

  /** Writes a u32 length in bytes, then UTF-8. */
  text(value: string): void {
    this.#reserve(4 + 3 * value.length);
    const start = this.#at + 4;
    if (value.length <= SHORT_TEXT && this.#ascii(value, start)) return;
    const { written } = encoder.encodeInto(value, this.#slab.subarray(start));
    this.u32(written);
    this.#at = start + written;
  }

  /** Writes short ASCII, faster than the encoder. Returns false if the text is not ASCII. */
  #ascii(value: string, start: number): boolean {
    const slab = this.#slab;
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit > 0x7f) return false;
      slab[start + index] = unit;
    }
    this.u32(value.length);
    this.#at = start + value.length;
    return true;
  }

  /** Begins a value and drops an unfinished earlier one. */
  begin(): void {
    if (this.#slab.length === 0) this.#renew();
    this.#at = this.#start;
  }

  /** Returns the bytes since `begin` as a view that later values do not overwrite. */
  finish(): Uint8Array {
    const value = new Uint8Array(this.#slab.buffer, this.#start, this.#at - this.#start);
    // A slab that grew for a large value is not reused.
    if (this.#slab.length > this.#size || this.#at > this.#size - 64) this.#renew();
    else this.#start = this.#at;
    return value;
  }

  /** Returns a copy of the bytes since `begin` and clears them in the slab. */
  take(): Uint8Array {
    const value = copyBytes(this.#slab.subarray(this.#start, this.#at));
    if (this.#slab.length > this.#size) this.#renew();
    else this.#slab.fill(0, this.#start, this.#at);
    return value;
  }

  /** A caller may have transferred a view of the slab, which detaches it. */
  #renew(): void {
    this.#slab = new Uint8Array(this.#size);
    this.#start = 0;
    this.#at = 0;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#slab.length) return;
    const used = this.#at - this.#start;
    const needed = used + size;
    const grown = new Uint8Array(needed <= this.#size / 2 ? this.#size : needed * 2);
    grown.set(this.#slab.subarray(this.#start, this.#at));
    this.#slab = grown;
    this.#start = 0;
    this.#at = used;
  }
}
