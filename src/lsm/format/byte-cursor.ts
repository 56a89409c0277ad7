/** A cursor for the variable-length fields of RocksDB, which never reads past the end. */

/** Thrown for a field that is malformed or ends after the bytes. Readers of files turn it into an error with a code. */
export class MalformedBytes extends Error {}

/** Thrown for a valid format that this reader does not support, but RocksDB does. */
export class UnsupportedFormat extends Error {
  /** The advice for the user. */
  readonly remedy: string = "RocksDB itself can read it: use the engine rocksdb";
}

/** Thrown for a format that the bundled RocksDB cannot read either, or would read incompletely. */
export class UnreadableFormat extends UnsupportedFormat {
  override readonly remedy: string;

  constructor(
    message: string,
    remedy = "The bundled RocksDB cannot read it either: use the program that wrote it",
  ) {
    super(message);
    this.remedy = remedy;
  }
}

export class ByteCursor {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The offset of the next field. */
  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The bytes from a position to the next field, as a view. */
  since(position: number): Uint8Array {
    return this.#bytes.subarray(position, this.#at);
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new MalformedBytes("a byte is missing");
    return byte;
  }

  /**
   * Reads an unsigned LEB128 number of at most 64 bits. Numbers above 2^53 are rounded; file numbers and sizes are
   * smaller.
   */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new MalformedBytes("a number is truncated");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw new MalformedBytes("a number is longer than 64 bits");
  }

  /** Reads a length and so many bytes, as a view. */
  lengthPrefixed(): Uint8Array {
    const start = this.skipLengthPrefixed();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Skips a length and so many bytes, and returns the offset of the first byte. They end at `position`. */
  skipLengthPrefixed(): number {
    const length = this.varint();
    if (length > this.#bytes.length - this.#at) throw new MalformedBytes("a byte string is truncated");
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
