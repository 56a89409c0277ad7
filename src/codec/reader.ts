/** A cursor over the bytes of one value. Every read checks what is left before it touches or allocates anything. */
import { ReadFailure } from "./errors.js";
import { HIGH, LOW, whole, words } from "./words.js";

/** What a reader uses of a codec. */
export interface ReadableType<T = unknown> {
  /** The type as a reader of the schema wants it: `u64`, `[b32]`. */
  readonly signature: string;
  read(reader: Reader): T;
}

/** Sees the fields as they are read; `explain` is built on it. */
export interface Trace {
  /** A field begins at byte `at`. */
  open(name: string, type: string, at: number): void;
  /** The field opened last ends before byte `end`. */
  close(end: number, codec: ReadableType, value: unknown): void;
  /** Bytes that are no field of their own: a variant's tag, a list's count. */
  note(name: string, type: string, at: number, end: number, value: string | number): void;
}

export class Reader {
  readonly bytes: Uint8Array;
  trace: Trace | undefined;
  /** Offset of the next byte. */
  at = 0;
  // Asked for once: the getters of typed arrays cost as much as the views that are made with them.
  readonly #buffer: ArrayBufferLike;
  readonly #base: number;

  constructor(bytes: Uint8Array, trace?: Trace) {
    this.bytes = bytes;
    this.trace = trace;
    this.#buffer = bytes.buffer;
    this.#base = bytes.byteOffset;
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Reads a part of the value that has a name, so that a trace sees it. */
  field<T>(name: string, codec: ReadableType<T>): T {
    if (this.trace === undefined) return codec.read(this);
    this.trace.open(name, codec.signature, this.at);
    const value = codec.read(this);
    this.trace.close(this.at, codec, value);
    return value;
  }

  /** Reads a value whose parts no trace sees. */
  untraced<T>(codec: ReadableType<T>): T {
    const trace = this.trace;
    this.trace = undefined;
    const value = codec.read(this);
    this.trace = trace;
    return value;
  }

  u8(): number {
    if (this.at >= this.bytes.length) throw this.short(1);
    return this.bytes[this.at++] as number;
  }

  u32(): number {
    const { bytes, at } = this;
    if (bytes.length - at < 4) throw this.short(4);
    this.at = at + 4;
    return (
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24)) >>>
      0
    );
  }

  u64(): bigint {
    if (this.bytes.length - this.at < 8) throw this.short(8);
    words[LOW] = this.u32();
    words[HIGH] = this.u32();
    return whole[0] as bigint;
  }

  /** The next `size` bytes: a view, not a copy. */
  take(size: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#base + this.pass(size), size);
  }

  /** Passes over the next `size` bytes: the offset of the first of them. */
  pass(size: number): number {
    const at = this.at;
    if (this.bytes.length - at < size) throw this.short(size);
    this.at = at + size;
    return at;
  }

  /** A failure at the byte before the cursor, or at `offset`. */
  fail(expected: string, found: string, offset: number = this.at - 1): ReadFailure {
    return new ReadFailure(offset, expected, found);
  }

  /** The failure for `size` bytes that are not there. */
  short(size: number): ReadFailure {
    return new ReadFailure(this.at, `${size} more byte${size === 1 ? "" : "s"}`, `${this.left}`);
  }
}
