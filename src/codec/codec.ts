/**
 * Codecs. A codec defines the bytes of a value, exactly as borsh-rs 1.x reads and writes it, and its JSON form. Codecs
 * are built from combinators, which also determine the static type of the decoded value.
 */

import { isBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { UndecryptedBytes } from "../bytes/undecrypted.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFlag, isFunction, type OptionChecks } from "../options.js";
import type { Steps } from "../steps.js";
import { DecodeError, describe, EncodeError, ReadFailure, toReadFailure, toWriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import { Reader, type Trace } from "./reader.js";
import type { FieldsOf, ShapeOf } from "./shape.js";
import { Writer } from "./writer.js";

const jsonOptions: OptionChecks<JsonOptions> = {
  redactSecrets: isFlag,
  base58: isFlag,
  readable: isFunction,
};

/** The size of encoded values in bytes. `max` is undefined if there is no upper bound. */
export interface Size {
  /** The fewest bytes. */
  readonly min: number;
  /** The most bytes. */
  readonly max: number | undefined;
}

/** The type of the values of a codec. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

/** @internal The shape of the values of a codec. */
export type Shape = ShapeOf<Codec<unknown>>;
/** @internal Fields by name, with their codecs, in the order of their bytes. */
export type ShapeFields = FieldsOf<Codec<unknown>>;

const writer = new Writer();
/** For values that may hold secrets: each gets its own buffer. */
const secretWriter = new Writer(1024);
let writing = false;

/**
 * A codec of values of type `T`. `decode` and `encode` convert bytes, `toJson` and `fromJson` the JSON form.
 * Documentation, detection and redaction use the other properties (signature, layout, size, secret, inner).
 */
export abstract class Codec<T> {
  /** Name of the Rust type, for codecs that stand for a named type: structs and enums. */
  readonly type: string | undefined;
  /** The type in the notation of the schema: `u64`, `[b32]`, `b32?`, `GroupMetaValue`. */
  abstract readonly signature: string;
  /** The size of encoded values. */
  abstract readonly size: Size;
  /** The codecs that this codec consists of. */
  readonly inner: readonly Codec<unknown>[] = [];
  // Public, because private fields would prevent declarations of types derived from codecs.
  /** @internal The result of `secret`, after its first read. */
  knownSecret: boolean | undefined = undefined;
  /** @internal The result of `strict`, after its first read. */
  knownStrict: boolean | undefined = undefined;

  constructor(type?: string) {
    this.type = type;
  }

  /** True if a value may hold a secret anywhere inside. */
  get secret(): boolean {
    this.knownSecret ??= this.inner.some((codec) => codec.secret);
    return this.knownSecret;
  }

  /**
   * True if the codec reads canonical bytes only, so that encoding a decoded value always returns the bytes that were
   * read.
   */
  get strict(): boolean {
    this.knownStrict ??= this.inner.every((codec) => codec.strict);
    return this.knownStrict;
  }

  /** @internal The shape of the values. Codecs that do not declare one have their JSON form only. */
  get shape(): Shape {
    return { is: "other" };
  }

  /** The layout in one line: the fields or variants of a named type, otherwise the same as `signature`. */
  get layout(): string {
    return this.signature;
  }

  /** Reads a value at the cursor. For combinators; `decode` is for everyone else. */
  abstract read(reader: Reader): T;
  /** @internal Reads a value as `read` does, in steps if it is a long list, and updates {@link Reader.isExact}. */
  *reading(reader: Reader): Steps<T> {
    yield;
    return this.readCompared(reader);
  }
  /** @internal Reads a value, and sets `reader.isExact` to false if encoding the value gives other bytes. */
  readCompared(reader: Reader): T {
    const start = reader.at;
    const value = this.read(reader);
    if (reader.isExact && !this.strict)
      reader.isExact = equalBytes(this.encode(value), reader.bytes.subarray(start, reader.at));
    return value;
  }
  /**
   * Skips a value at the cursor and refuses exactly the bytes that `read` refuses. Combinators override it so as not to
   * create the value, which may be many times as large as its bytes.
   */
  pass(reader: Reader): void {
    this.read(reader);
  }
  /** Appends a value. For combinators; `encode` is for everyone else. */
  abstract write(writer: Writer, value: T): void;
  /** The JSON form of a value. For combinators; `toJson` is for everyone else. */
  abstract show(value: T, options?: JsonOptions): Json;
  /**
   * Reads a value at the cursor and writes its JSON form as text: `JSON.stringify(toJson(read(reader)))`, with hidden
   * characters as escapes. For combinators; the most frequent ones write text without creating a value.
   */
  transcribe(reader: Reader, text: JsonText): void {
    text.raw(JSON.stringify(this.show(this.read(reader), text.options)));
  }
  /** Parses a JSON form. For combinators: throws a `WriteFailure`; `fromJson` is for everyone else. */
  abstract parse(json: Json): T;

  /**
   * Returns the JSON form of a value: bytes as hex, u64 and u128 as decimal strings, enums by name.
   * @throws MerostoreError `INVALID_ARGUMENT` for unknown options; EncodeError for a value of another type
   */
  toJson(value: T, options?: JsonOptions): Json {
    checkOptions("toJson", options, jsonOptions);
    try {
      return this.show(value, options);
    } catch (error) {
      throw new EncodeError(this.type ?? this.signature, toWriteFailure(error));
    }
  }

  /**
   * Decodes a value from exactly these bytes. Byte arrays in it are views into them. @throws DecodeError for bytes that
   * borsh-rs refuses: too few or too many bytes, an unknown tag, invalid UTF-8, …
   */
  decode(bytes: Uint8Array, trace?: Trace): T {
    const value = this.readWhole(bytes, trace);
    if (value instanceof ReadFailure) throw new DecodeError(this.type ?? this.signature, value);
    return value;
  }

  /** Decodes a value, or returns the failure: `decode` without the cost of an error. */
  readWhole(bytes: Uint8Array, trace?: Trace): T | ReadFailure {
    if (!isBytes(bytes)) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `expected the bytes of a ${this.signature}, found ${describe(bytes)}`,
      );
    }
    if (bytes instanceof UndecryptedBytes) return undecrypted(bytes);
    const reader = new Reader(bytes, trace);
    try {
      const value = this.read(reader);
      return reader.at === bytes.length ? value : reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      return toReadFailure(error, reader.at);
    }
  }

  /** @internal `readWhole` in steps, by a new reader of the bytes. */
  *readingWhole(reader: Reader): Steps<T | ReadFailure> {
    try {
      const value = yield* this.reading(reader);
      return reader.left === 0 ? value : reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      return toReadFailure(error, reader.at);
    }
  }

  /**
   * Checks that exactly these bytes decode, without creating the value, in constant memory.
   * @throws DecodeError as `decode` does
   */
  validate(bytes: Uint8Array): void {
    if (bytes instanceof UndecryptedBytes)
      throw new DecodeError(this.type ?? this.signature, undecrypted(bytes));
    const reader = new Reader(bytes);
    try {
      this.pass(reader);
      if (reader.at !== bytes.length) throw reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      throw new DecodeError(this.type ?? this.signature, toReadFailure(error, reader.at));
    }
  }

  /**
   * Writes the JSON form of the value of exactly these bytes as text: `JSON.stringify(toJson(decode(bytes)))`, with
   * hidden characters as escapes. If the bytes do not decode, it writes nothing and returns false.
   */
  decodeAsText(bytes: Uint8Array, text: JsonText): boolean {
    if (bytes instanceof UndecryptedBytes) return false;
    const start = text.length;
    const reader = new Reader(bytes);
    try {
      this.transcribe(reader, text);
      if (reader.left === 0) return true;
    } catch {
      // `decode` or `toJson` has the error.
    }
    text.cut(start);
    return false;
  }

  /**
   * Encodes a value as borsh-rs does. The result is a view into a buffer shared with other encodings, unless the type
   * holds secrets. Do not transfer the buffer.
   * @throws EncodeError for a field that is missing, surplus, of the wrong type or out of range.
   */
  encode(value: T): Uint8Array {
    // A getter of the value may call `encode`: the nested call gets its own writer. A secret gets its own buffer,
    // because the holder of a view can read the whole buffer.
    const nested = writing;
    const { secret } = this;
    const target = nested ? new Writer(256) : secret ? secretWriter : writer;
    writing = true;
    if (secret && this.size.min === this.size.max) target.beginOwn(this.size.min);
    else target.begin();
    try {
      this.write(target, value);
      return secret ? target.take() : target.finish();
    } catch (error) {
      throw new EncodeError(this.type ?? this.signature, toWriteFailure(error));
    } finally {
      writing = nested;
    }
  }

  /**
   * Parses the JSON form of a value. @throws EncodeError for a field that is missing, surplus, of the wrong type or out
   * of range.
   */
  fromJson(json: Json): T {
    try {
      return this.parse(json);
    } catch (error) {
      throw new EncodeError(this.type ?? this.signature, toWriteFailure(error));
    }
  }

  /**
   * Returns whether bytes are canonical: borsh-rs would write the same bytes for the value that it reads from them.
   * Rust also reads some bytes that it would not write. @throws DecodeError if the bytes do not decode
   */
  canonical(bytes: Uint8Array): boolean {
    const value = this.decode(bytes);
    return this.strict || equalBytes(this.encode(value), bytes);
  }
}

/** The size of concatenated values. */
export function sumSizes(sizes: readonly Size[]): Size {
  let min = 0;
  let max: number | undefined = 0;
  for (const size of sizes) {
    min += size.min;
    max = max === undefined || size.max === undefined ? undefined : max + size.max;
  }
  return { min, max };
}

function undecrypted({ length }: Uint8Array): ReadFailure {
  return new ReadFailure(0, "a decrypted value", `${length} bytes that no given master key decrypts`);
}
