/**
 * A codec: how a value is laid out in bytes, exactly as borsh-rs 1.x reads and writes it, and how it is shown as JSON.
 * Codecs are values built from combinators; the static type of the decoded value follows from them.
 */

import { isBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { MerostoreError } from "../errors.js";
import { checkOptions, isFlag, isFunction, type OptionChecks } from "../options.js";
import { DecodeError, describe, EncodeError, ReadFailure, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import { Reader, type Trace } from "./reader.js";
import { Writer } from "./writer.js";

const jsonOptions: OptionChecks<JsonOptions> = {
  redactSecrets: isFlag,
  base58: isFlag,
  readable: isFunction,
};

/** Bytes that a value takes: `max` is undefined where there is no bound. */
export interface Size {
  /** The fewest bytes. */
  readonly min: number;
  /** The most bytes. */
  readonly max: number | undefined;
}

/** The type of the values of a codec. */
export type Decoded<C> = C extends Codec<infer T> ? T : never;

const writer = new Writer();
/** For values that may hold secrets: they are copied out of it, and nothing of them stays. */
const secretWriter = new Writer(1024);
let writing = false;

/** Looked for once. Not fields: private ones would keep types that are made of codecs from being declared. */
const secrets = new WeakMap<object, boolean>();
const strict = new WeakMap<object, boolean>();

/**
 * A codec of values of type `T`. `decode` and `encode` are for bytes, `toJson` and `fromJson` for the JSON form; what else
 * it says of itself (signature, layout, size, secret, inner) is what documents, detection and redaction are made from.
 */
export abstract class Codec<T> {
  /** Name of the Rust type, for codecs that stand for a named type: structs and enums. */
  readonly type: string | undefined;
  /** The type as a reader of the schema wants it: `u64`, `[b32]`, `b32?`, `GroupMetaValue`. */
  abstract readonly signature: string;
  /** How many bytes a value takes. */
  abstract readonly size: Size;
  /** The codecs that this one is made of. */
  readonly inner: readonly Codec<unknown>[] = [];

  constructor(type?: string) {
    this.type = type;
  }

  /** Whether a value may hold a secret anywhere inside. */
  get secret(): boolean {
    let known = secrets.get(this);
    if (known === undefined) {
      known = this.inner.some((codec) => codec.secret);
      secrets.set(this, known);
    }
    return known;
  }

  /** Whether only canonical bytes are read: what Rust would write for the value is then always what was read. */
  get strict(): boolean {
    let known = strict.get(this);
    if (known === undefined) {
      known = this.inner.every((codec) => codec.strict);
      strict.set(this, known);
    }
    return known;
  }

  /** The layout in one line: for a named type its fields or variants, else the same as `signature`. */
  get layout(): string {
    return this.signature;
  }

  /** Reads a value at the cursor. For combinators; `decode` is for everyone else. */
  abstract read(reader: Reader): T;
  /**
   * Passes over a value at the cursor and refuses exactly what `read` refuses. For combinators, whose values may be many
   * times as large as their bytes: they override it so that nothing is kept.
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
   * characters as escapes. For combinators; those that read most write text without making a value.
   */
  transcribe(reader: Reader, text: JsonText): void {
    text.raw(JSON.stringify(this.show(this.read(reader), text.options)));
  }
  /** The value of a JSON form, for combinators: throws a `WriteFailure`. */
  abstract parse(json: Json): T;

  /**
   * The JSON form of a value: bytes as hex, u64 and u128 as decimal strings, enums by name.
   * @throws MerostoreError `INVALID_ARGUMENT` for options that do not exist
   */
  toJson(value: T, options?: JsonOptions): Json {
    checkOptions("toJson", options, jsonOptions);
    return this.show(value, options);
  }

  /**
   * The value of exactly these bytes. Byte arrays inside it are views into them.
   * @throws DecodeError for whatever borsh-rs refuses: too few or too many bytes, an unknown tag, invalid UTF-8, …
   */
  decode(bytes: Uint8Array, trace?: Trace): T {
    const value = this.readWhole(bytes, trace);
    if (value instanceof ReadFailure) throw new DecodeError(this.type ?? this.signature, value);
    return value;
  }

  /** The value of exactly these bytes, or why there is none: `decode` without the cost of an error. */
  readWhole(bytes: Uint8Array, trace?: Trace): T | ReadFailure {
    if (!isBytes(bytes)) {
      throw new MerostoreError(
        "INVALID_ARGUMENT",
        `expected the bytes of a ${this.signature}, found ${describe(bytes)}`,
      );
    }
    const reader = new Reader(bytes, trace);
    try {
      const value = this.read(reader);
      return reader.at === bytes.length ? value : reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      if (error instanceof ReadFailure) return error;
      throw error;
    }
  }

  /**
   * Checks that exactly these bytes decode, without making the value: memory does not grow with its parts.
   * @throws DecodeError as `decode` does
   */
  validate(bytes: Uint8Array): void {
    const reader = new Reader(bytes);
    try {
      this.pass(reader);
      if (reader.at !== bytes.length) throw reader.fail("the end", `${reader.left} more`, reader.at);
    } catch (error) {
      throw error instanceof ReadFailure ? new DecodeError(this.type ?? this.signature, error) : error;
    }
  }

  /**
   * Writes the JSON form of the value of exactly these bytes as text: `JSON.stringify(toJson(decode(bytes)))`, with control
   * characters, characters that nobody sees and line separators as escapes. If the bytes do not decode, it writes nothing
   * and returns false.
   */
  decodeAsText(bytes: Uint8Array, text: JsonText): boolean {
    const start = text.length;
    const reader = new Reader(bytes);
    try {
      this.transcribe(reader, text);
      if (reader.left === 0) return true;
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error;
    }
    text.cut(start);
    return false;
  }

  /**
   * The bytes that borsh-rs writes for a value: a view into a buffer that other encodings share, unless the type holds
   * secrets. Do not transfer the buffer.
   * @throws EncodeError for a field that is missing, surplus, of the wrong type or out of range.
   */
  encode(value: T): Uint8Array {
    // A getter of the value may encode something itself: it gets a writer of its own. A secret gets a buffer of its own:
    // other encodings lie in the same buffer, and whoever is handed one of them can reach all of it.
    const nested = writing;
    const { secret } = this;
    const target = nested ? new Writer(256) : secret ? secretWriter : writer;
    writing = true;
    target.begin();
    try {
      this.write(target, value);
      return secret ? target.take() : target.finish();
    } catch (error) {
      throw error instanceof WriteFailure ? new EncodeError(this.type ?? this.signature, error) : error;
    } finally {
      writing = nested;
    }
  }

  /**
   * The value of a JSON form.
   * @throws EncodeError for a field that is missing, surplus, of the wrong type or out of range.
   */
  fromJson(json: Json): T {
    try {
      return this.parse(json);
    } catch (error) {
      throw error instanceof WriteFailure ? new EncodeError(this.type ?? this.signature, error) : error;
    }
  }

  /**
   * Whether these are the bytes that borsh-rs would write for the value that it reads from them. Rust reads some
   * bytes that it would not write; they decode, and are not canonical.
   * @throws DecodeError if they do not decode at all.
   */
  canonical(bytes: Uint8Array): boolean {
    const value = this.decode(bytes);
    return this.strict || equalBytes(this.encode(value), bytes);
  }
}

/** The size of values laid one after another. */
export function sumSizes(sizes: readonly Size[]): Size {
  let min = 0;
  let max: number | undefined = 0;
  for (const size of sizes) {
    min += size.min;
    max = max === undefined || size.max === undefined ? undefined : max + size.max;
  }
  return { min, max };
}
