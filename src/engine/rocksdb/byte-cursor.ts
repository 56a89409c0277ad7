/** Reads RocksDB's variable-length fields from bytes, never beyond their end. */

/** Thrown when a field runs past the end or is malformed; whoever reads the file turns it into a named error. */
export class MalformedBytes extends Error {}

export class ByteCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** An unsigned LEB128 number of at most 64 bits. Above 2^53 it is rounded: file numbers and sizes never are. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new MalformedBytes("a number is cut");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new MalformedBytes("a number is longer than 64 bits");
  }

  /** Bytes with their length before them: a view. */
  lengthPrefixed(): Uint8Array {
    const length = this.varint();
    if (length > this.#bytes.length - this.#at) throw new MalformedBytes("a byte string is cut");
    const found = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return found;
  }
}
