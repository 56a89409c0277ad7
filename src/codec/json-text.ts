/** JSON text written byte by byte, without an object for each field of a row. */
import { grown } from "../bytes/bytes.js";
import { visible } from "../bytes/visible.js";
import type { JsonOptions } from "./json.js";

/** The two digits of each byte, as a little-endian u16. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, "0");
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

const encoder = new TextEncoder();

/** A growing buffer of UTF-8 that codecs write JSON into; see {@link Codec.transcribe}. */
export class JsonText {
  /** Options of the JSON form. */
  readonly options: JsonOptions;
  /** Bytes written so far. */
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;

  /** @param size initial capacity in bytes */
  constructor(options: JsonOptions, size: number) {
    this.options = options;
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Writes JSON text, with hidden characters as escapes. */
  raw(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const start = this.length;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= DELETE) {
        this.bytes(encoder.encode(visible(text)));
        return;
      }
      bytes[start + index] = unit;
    }
    this.length = start + text.length;
  }

  /** Writes JSON that is already UTF-8. */
  bytes(utf8: Uint8Array): void {
    this.#reserve(utf8.length);
    this.#bytes.set(utf8, this.length);
    this.length += utf8.length;
  }

  /** Writes `bytes[start, end)` as a string of hex digits. */
  hex(bytes: Uint8Array, start = 0, end: number = bytes.length): void {
    this.#reserve(2 * (end - start) + 2);
    const view = this.#view;
    let to = this.length;
    view.setUint8(to++, QUOTE);
    for (let at = start; at < end; at++) {
      view.setUint16(to, DIGITS[bytes[at] as number] as number, true);
      to += 2;
    }
    view.setUint8(to++, QUOTE);
    this.length = to;
  }

  /**
   * Writes `bytes[start, end)` as a string. If it is not ASCII or must be escaped, writes nothing and returns false.
   */
  plain(bytes: Uint8Array, start: number, end: number): boolean {
    this.#reserve(end - start + 2);
    const to = this.#bytes;
    let at = this.length;
    to[at++] = QUOTE;
    for (let from = start; from < end; from++) {
      const byte = bytes[from] as number;
      if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return false;
      to[at++] = byte;
    }
    to[at++] = QUOTE;
    this.length = at;
    return true;
  }

  /** Truncates the text to `length` bytes. */
  cut(length: number): void {
    this.length = length;
  }

  /** Returns the text as a view of the buffer. Nothing may be written afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.#bytes.length) return;
    this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(needed, 2 * this.#bytes.length)));
    this.#view = new DataView(this.#bytes.buffer);
  }
}
