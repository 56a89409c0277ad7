/** Codecs that modify another codec. */
import { invalidArgument } from "../errors.js";
import type { Steps } from "../steps.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec } from "./declarations.js";
import { DecodeError, describe, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** A codec that passes everything on to another one. */
export abstract class Wrapped<T> extends Codec<T> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  /** The codec that this one is made from. */
  protected readonly of: Codec<T>;

  constructor(of: Codec<T>, type?: string) {
    super(type);
    checkCodec(type ?? "a codec of another one", of);
    this.of = of;
    this.inner = [of];
    this.signature = type ?? of.signature;
    this.size = of.size;
  }

  /** @internal */
  override get shape(): Shape {
    return this.of.shape;
  }

  read(reader: Reader): T {
    return this.of.read(reader);
  }

  write(writer: Writer, value: T): void {
    this.of.write(writer, value);
  }

  show(value: T, options?: JsonOptions): Json {
    return this.of.show(value, options);
  }

  parse(json: Json): T {
    return this.of.parse(json);
  }
}

/** Another encoding of the values of a codec, with the same JSON form. A subclass reads and writes the bytes. */
export abstract class Recoded<T> extends Wrapped<T> {
  /** The size of an encoded value in bytes. */
  override readonly size: Size;
  /** The codecs in the other codec. */
  override readonly inner: readonly Codec<unknown>[];

  constructor(of: Codec<T>, size: Size) {
    super(of, of.type);
    this.size = size;
    this.inner = of.inner;
  }

  override get layout(): string {
    return this.of.layout;
  }

  /** Reads a value. */
  abstract override read(reader: Reader): T;
  /** Writes a value. */
  abstract override write(writer: Writer, value: T): void;
}

class Secret<T> extends Wrapped<T> {
  override get secret(): boolean {
    return true;
  }

  override get shape(): Shape {
    return { is: "secret", of: this.of };
  }

  /**
   * The trace receives the secret as one field. A failure reveals nothing about the content, not even a length or a
   * cause.
   */
  override read(reader: Reader): T {
    const start = reader.at;
    try {
      return reader.untraced(this.of);
    } catch {
      throw reader.fail(this.signature, "other bytes", start);
    }
  }

  override show(value: T, options?: JsonOptions): Json {
    return options?.redactSecrets ? "redacted" : this.of.show(value, options);
  }
}

class Checked<T> extends Wrapped<T> {
  readonly #expected: string;
  readonly #accepts: (value: T) => boolean;

  constructor(of: Codec<T>, expected: string, accepts: (value: T) => boolean) {
    super(of);
    this.#expected = expected;
    this.#accepts = accepts;
  }

  override read(reader: Reader): T {
    const start = reader.at;
    const value = this.of.read(reader);
    if (!this.#accepts(value)) throw reader.fail(this.#expected, "another value", start);
    return value;
  }

  override write(writer: Writer, value: T): void {
    this.of.write(writer, value);
    if (!this.#accepts(value)) throw new WriteFailure(this.#expected, "another value");
  }

  override parse(json: Json): T {
    const value = this.of.parse(json);
    if (!this.#accepts(value)) throw new WriteFailure(this.#expected, "another value");
    return value;
  }
}

class Named<T> extends Wrapped<T> {
  override reading(reader: Reader): Steps<T> {
    return this.of.reading(reader);
  }

  override pass(reader: Reader): void {
    this.of.pass(reader);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    this.of.transcribe(reader, text);
  }

  override get layout(): string {
    return this.of.layout;
  }
}

/** Names a type: `named("ActionList", vec(Action))`. */
export function named<T>(type: string, codec: Codec<T>): Codec<T> {
  return new Named(codec, type);
}

/** Another encoding of the same values, for reading only. */
export interface Alternative<T> {
  /** The value of bytes in the other encoding. @throws DecodeError */
  decode(bytes: Uint8Array): T;
}

class Lenient<T> extends Wrapped<T> {
  readonly #encodings: readonly Alternative<T>[];

  constructor(of: Codec<T>, alternatives: readonly Alternative<T>[]) {
    super(of);
    if (!Array.isArray(alternatives))
      throw invalidArgument(
        `${of.signature}: a list of other encodings is expected, not ${describe(alternatives)}`,
      );
    this.#encodings = [of, ...alternatives];
  }

  override get strict(): boolean {
    return false;
  }

  override read(reader: Reader): T {
    const rest = reader.bytes.subarray(reader.at);
    for (const encoding of this.#encodings) {
      const found = tryDecode(encoding, rest);
      if (found === undefined) continue;
      // The trace receives fields of the codec's own encoding only.
      if (reader.trace !== undefined && encoding === this.of) break;
      reader.at = reader.bytes.length;
      return found.value;
    }
    return this.of.read(reader);
  }
}

function tryDecode<T>(encoding: Alternative<T>, bytes: Uint8Array): { readonly value: T } | undefined {
  try {
    return { value: encoding.decode(bytes) };
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** A whole value that is also read in older encodings, tried in order, and written in its own encoding only. */
export function lenient<T>(codec: Codec<T>, alternatives: readonly Alternative<T>[]): Codec<T> {
  return new Lenient(codec, alternatives);
}

/** Marks a value as secret: all output shows `"redacted"` instead, unless secrets are requested. */
export function secret<T>(codec: Codec<T>): Codec<T> {
  return new Secret(codec);
}

/** Restricts the values that may be read and written. `expected` describes the allowed values. */
export function checked<T>(codec: Codec<T>, expected: string, accepts: (value: T) => boolean): Codec<T> {
  return new Checked(codec, expected, accepts);
}
