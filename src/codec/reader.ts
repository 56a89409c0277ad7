/** A cursor over the bytes of one value. Every read checks the remaining length before it reads or allocates. */
import { Id } from "../bytes/id.js";
import { ReadFailure } from "./errors.js";
import { HIGH, LOW, whole, words } from "./words.js";

/** The part of a codec that a reader uses. */
export interface ReadableType<T = unknown> {
  /** The type in the notation of the schema: `u64`, `[b32]`. */
  readonly signature: string;
  /** Reads a value at the cursor. */
  read(reader: Reader): T;
}

/** Receives the fields as they are read. `explain` is built on it. */
export interface Trace {
  /** A field begins at byte `at`. */
  open(name: string, type: string, at: number): void;
  /** The field opened last ends before byte `end`. */
  close(end: number, codec: ReadableType, value: unknown): void;
  /** Bytes that are not a field: the tag of a variant, the count of a list. */
  note(name: string, type: string, at: number, end: number, value: string | number): void;
}

/** A cursor over the bytes of one value. Reading throws a {@link ReadFailure} if the bytes end too early. */
export class Reader {
  /** The bytes of the value. */
  readonly bytes: Uint8Array;
  /** Receives the fields as they are read; usually undefined. */
  trace: Trace | undefined;
  /** Offset of the next byte. */
  at = 0;
  /** @internal Once true, it stays true as long as the values read in steps encode to their bytes. */
  isExact = false;
  // Read once: the getters of typed arrays cost as much as creating a view.
  readonly #buffer: ArrayBufferLike;
  readonly #base: number;

  constructor(bytes: Uint8Array, trace?: Trace) {
    this.bytes = bytes;
    this.trace = trace;
    this.#buffer = bytes.buffer;
    this.#base = bytes.byteOffset;
  }

  /** Number of bytes after the cursor. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Reads a named part of the value and passes it to the trace. */
  field<T>(name: string, codec: ReadableType<T>): T {
    if (this.trace === undefined) return codec.read(this);
    this.trace.open(name, codec.signature, this.at);
    const value = codec.read(this);
    this.trace.close(this.at, codec, value);
    return value;
  }

  /** Reads a value without passing its parts to the trace. */
  untraced<T>(codec: ReadableType<T>): T {
    const trace = this.trace;
    this.trace = undefined;
    const value = codec.read(this);
    this.trace = trace;
    return value;
  }

  /** Reads one byte. */
  u8(): number {
    if (this.at >= this.bytes.length) throw this.short(1);
    return this.bytes[this.at++] as number;
  }

  /** Reads 4 bytes, little-endian. */
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

  /** Reads 8 bytes, little-endian. */
  u64(): bigint {
    if (this.bytes.length - this.at < 8) throw this.short(8);
    words[LOW] = this.u32();
    words[HIGH] = this.u32();
    return whole[0] as bigint;
  }

  /** Returns the next `size` bytes as a view. */
  take(size: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#base + this.pass(size), size);
  }

  /** Returns the next 32 bytes as a view. */
  id(): Id {
    return new Id(this.#buffer as ArrayBuffer, this.#base + this.pass(32), 32);
  }

  /** Skips `size` bytes and returns the offset of the first. */
  pass(size: number): number {
    const at = this.at;
    if (this.bytes.length - at < size) throw this.short(size);
    this.at = at + size;
    return at;
  }

  /** Creates a failure at `offset`, by default at the byte before the cursor. */
  fail(expected: string, found: string, offset: number = this.at - 1): ReadFailure {
    return new ReadFailure(offset, expected, found);
  }

  /** Creates the failure for a tag or flag at `offset` above the known ones, which a later version may define. */
  failLater(expected: string, found: string, offset: number = this.at - 1): ReadFailure {
    return new ReadFailure(offset, expected, found, undefined, true);
  }

  /** Creates the failure for `size` missing bytes. */
  short(size: number): ReadFailure {
    return new ReadFailure(this.at, `${size} more byte${size === 1 ? "" : "s"}`, `${this.left}`);
  }
}
