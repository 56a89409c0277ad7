/** Codecs that declare the meaning of their values: points in time, sizes, texts. Bytes and JSON stay as they are. */
import type { Codec } from "./codec.js";
import type { Json, JsonOptions, Meaning } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import { Wrapped } from "./wrap.js";

class Meant<T> extends Wrapped<T> {
  readonly #meaning: Meaning;

  constructor(of: Codec<T>, meaning: Meaning) {
    super(of);
    this.#meaning = meaning;
  }

  override pass(reader: Reader): void {
    this.of.pass(reader);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    if (text.options?.readable === undefined) this.of.transcribe(reader, text);
    else super.transcribe(reader, text);
  }

  override show(value: T, options?: JsonOptions): Json {
    const form = this.of.show(value, options);
    return options?.readable === undefined ? form : options.readable(value, this.#meaning, form);
  }
}

/** A point in time: seconds since 1970. */
export function seconds<T extends number | bigint>(codec: Codec<T>): Codec<T> {
  return new Meant(codec, "seconds");
}

/** A point in time: milliseconds since 1970. */
export function milliseconds<T extends number | bigint>(codec: Codec<T>): Codec<T> {
  return new Meant(codec, "milliseconds");
}

/** A point in time: nanoseconds since 1970. */
export function nanoseconds<T extends number | bigint>(codec: Codec<T>): Codec<T> {
  return new Meant(codec, "nanoseconds");
}

/** A point in time: seconds since 1970 in the high 32 bits, a binary fraction below. */
export function ntp64(codec: Codec<bigint>): Codec<bigint> {
  return new Meant(codec, "ntp64");
}

/** A number of bytes. */
export function byteCount<T extends number | bigint>(codec: Codec<T>): Codec<T> {
  return new Meant(codec, "bytes");
}

/** Bytes that are often text. */
export function textual(codec: Codec<Uint8Array>): Codec<Uint8Array> {
  return new Meant(codec, "text");
}
