/** A growing buffer for one value. Finished values are views into its slab, which many values share. */

import { copyBytes } from "../bytes/bytes.js";
import { HIGH, LOW, whole, words } from "./words.js";

const SLAB_SIZE = 16 * 1024;

/** UTF-16 units. */
const SHORT_TEXT = 48;

/** Up to this many bytes, allocating is cheap (30 ns instead of 250) and a loop copies as fast as a call. */
const SMALL = 64;

const NONE = new Uint8Array(0);

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
    if (this.#at === this.#slab.length) this.#grow(1);
    this.#slab[this.#at++] = value;
  }

  /** Writes 4 bytes, little-endian. */
  u32(value: number): void {
    if (this.#at + 4 > this.#slab.length) this.#grow(4);
    const slab = this.#slab;
    const at = this.#at;
    slab[at] = value;
    slab[at + 1] = value >>> 8;
    slab[at + 2] = value >>> 16;
    slab[at + 3] = value >>> 24;
    this.#at = at + 4;
  }

  /** Writes 8 bytes, little-endian. */
  u64(value: bigint): void {
    whole[0] = value;
    this.u32(words[LOW] as number);
    this.u32(words[HIGH] as number);
  }

  /** Writes the bytes without a length. */
  bytes(value: Uint8Array): void {
    const { length } = value;
    if (this.#at + length > this.#slab.length) this.#grow(length);
    this.#slab.set(value, this.#at);
    this.#at += length;
  }

  /** Writes a u32 length in bytes, then UTF-8. */
  text(value: string): void {
    const most = 4 + 3 * value.length;
    if (this.#at + most > this.#slab.length) this.#grow(most);
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

  /** Reserves room for `size` bytes: a buffer that grows copies its bytes each time. */
  room(size: number): void {
    if (this.#at + size > this.#slab.length) this.#grow(size);
  }

  /** Returns the bytes since `begin` as a view that later values do not overwrite. */
  finish(): Uint8Array {
    const slab = this.#slab;
    const start = this.#start;
    const at = this.#at;
    const value = new Uint8Array(slab.buffer, start, at - start);
    // A slab that grew for a large value is not reused.
    if (slab.length > this.#size || at > this.#size - 64) this.#renew();
    else this.#start = at;
    return value;
  }

  /** Begins a value of exactly `size` bytes. `take` returns its buffer without a copy. */
  beginOwn(size: number): void {
    this.#slab = new Uint8Array(size);
    this.#start = 0;
    this.#at = 0;
  }

  /** Returns the bytes since `begin` in their own buffer. The slab keeps none of them. */
  take(): Uint8Array {
    const slab = this.#slab;
    const start = this.#start;
    const size = this.#at - start;
    if (size === slab.length) {
      this.#slab = NONE;
      return slab;
    }
    if (size > SMALL) {
      const value = copyBytes(slab.subarray(start, this.#at));
      if (slab.length > this.#size) this.#renew();
      else slab.fill(0, start, this.#at);
      return value;
    }
    const value = new Uint8Array(size);
    for (let index = 0; index < size; index++) {
      value[index] = slab[start + index] as number;
      slab[start + index] = 0;
    }
    return value;
  }

  /** Replaces the slab, which a caller detaches by transferring a view. */
  #renew(): void {
    this.#slab = new Uint8Array(this.#size);
    this.#start = 0;
    this.#at = 0;
  }

  /** Makes room for `size` more bytes. */
  #grow(size: number): void {
    const used = this.#at - this.#start;
    const needed = used + size;
    const grown = new Uint8Array(needed <= this.#size / 2 ? this.#size : needed * 2);
    grown.set(this.#slab.subarray(this.#start, this.#at));
    this.#slab = grown;
    this.#start = 0;
    this.#at = used;
  }
}
