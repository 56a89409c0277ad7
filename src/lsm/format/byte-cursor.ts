/** Reads RocksDB's variable-length fields from bytes, never beyond their end. */

/** Thrown when a field runs past the end or is malformed; whoever reads the file turns it into a named error. */
export class MalformedBytes extends Error {}

/** Thrown for what is well-formed and beyond this reader: RocksDB itself can be asked instead. */
export class UnsupportedFormat extends Error {
  /** What a person can do. */
  readonly remedy: string = "RocksDB itself can read it: take the engine rocksdb";
}

/** Thrown for what RocksDB, as it is opened here, cannot read either, or of which it would show too little. */
export class UnreadableFormat extends UnsupportedFormat {
  override readonly remedy: string;

  constructor(
    message: string,
    remedy = "Nor can RocksDB as it is built here: use the program that wrote it",
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

  /** Where the next field begins. */
  get position(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new MalformedBytes("a byte is missing");
    return byte;
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
    const start = this.skipLengthPrefixed();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Passes over bytes with their length before them; gives where they begin. They end at `position`. */
  skipLengthPrefixed(): number {
    const length = this.varint();
    if (length > this.#bytes.length - this.#at) throw new MalformedBytes("a byte string is cut");
    const start = this.#at;
    this.#at += length;
    return start;
  }
}
