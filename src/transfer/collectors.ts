/** Collection of a value of a line whose bytes arrive in parts, up to a limit. */

import { LARGEST_ROW, LONGEST_TEXT } from "./limits.js";

const QUOTE = 0x22;
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The value of each byte as a hex digit; 255 for other bytes. */
const NIBBLES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? 255 : value;
});

/**
 * Size of the first buffer. The next one has the size of the largest row; the system only allocates the pages that are
 * written.
 */
const FIRST = 64 * 1024;

/** Creates the error for the current line. */
export type Wrong = (why: string) => Error;

/** Collects the bytes of a hex text. */
export class HexCollector {
  readonly #field: string;
  readonly #wrong: Wrong;
  #bytes = new Uint8Array(FIRST);
  #length = 0;
  /** The first of two digits; -1 between bytes. */
  #high = -1;
  /** True if the opening quote was read. */
  #begun = false;

  /** @param field the name of the field, for messages */
  constructor(field: string, wrong: Wrong) {
    this.#field = field;
    this.#wrong = wrong;
  }

  begin(): void {
    this.#length = 0;
    this.#high = -1;
    this.#begun = false;
  }

  readonly take = (bytes: Uint8Array, from: number, to: number): void => {
    let at = from;
    if (!this.#begun) {
      if (bytes[at++] !== QUOTE) throw this.#wrong(`\`${this.#field}\` is missing`);
      this.#begun = true;
    }
    this.#reserve(((to - at) >> 1) + 1);
    const target = this.#bytes;
    let length = this.#length;
    let high = this.#high;
    for (; at < to; at++) {
      const nibble = NIBBLES[bytes[at] as number] as number;
      if (nibble > 15) break;
      if (high >= 0) {
        target[length++] = (high << 4) | nibble;
        high = -1;
        continue;
      }
      const low = at + 1 < to ? (NIBBLES[bytes[at + 1] as number] as number) : 255;
      if (low > 15) high = nibble;
      else {
        target[length++] = (nibble << 4) | low;
        at++;
      }
    }
    this.#length = length;
    this.#high = high;
    // Only the closing quote may follow the digits.
    if (at < to && (bytes[at] !== QUOTE || high >= 0))
      throw this.#wrong(`\`${this.#field}\` is not hex text`);
  };

  /** Returns the bytes, which the next line does not overwrite. */
  finish(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (2 * bytes.length <= this.#bytes.length) return new Uint8Array(bytes);
    // Copying a large value would double its memory.
    this.#bytes = new Uint8Array(FIRST);
    return bytes;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    // The last part of the largest value needs one more byte, because its quote counts as half a byte.
    if (needed > LARGEST_ROW + 1)
      throw this.#wrong(`\`${this.#field}\` has more than ${LARGEST_ROW} bytes, which no export has`);
    const grown = new Uint8Array(LARGEST_ROW + 1);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Collects a short JSON value. */
export class TextCollector {
  readonly #field: string;
  readonly #wrong: Wrong;
  #bytes = new Uint8Array(256);
  #length = 0;
  /** The last text and its value: most lines repeat the text of the previous line. */
  #known = "";
  #value: unknown;

  /** @param field the name of the field, for messages */
  constructor(field: string, wrong: Wrong) {
    this.#field = field;
    this.#wrong = wrong;
  }

  begin(): void {
    this.#length = 0;
  }

  readonly take = (bytes: Uint8Array, from: number, to: number): void => {
    const length = this.#length + to - from;
    if (length > LONGEST_TEXT)
      throw this.#wrong(`\`${this.#field}\` has more than ${LONGEST_TEXT} bytes, which no export has`);
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(from, to), this.#length);
    this.#length = length;
  };

  /** Returns the value. */
  finish(): unknown {
    const text = decoder.decode(this.#bytes.subarray(0, this.#length));
    if (text !== this.#known) [this.#known, this.#value] = [text, JSON.parse(text)];
    return this.#value;
  }
}
