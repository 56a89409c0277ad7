import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec, checkOptional } from "./declarations.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class OptionCodec<T> extends Codec<T | null> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #some: Codec<T>;

  constructor(some: Codec<T>) {
    super();
    checkOptional(some);
    this.#some = some;
    this.inner = [some];
    this.signature = `${some.signature}?`;
    this.size = { min: 1, max: some.size.max === undefined ? undefined : 1 + some.size.max };
  }

  override get shape(): Shape {
    return { is: "option", of: this.#some };
  }

  read(reader: Reader): T | null {
    return isSome(reader) ? this.#some.read(reader) : null;
  }

  override pass(reader: Reader): void {
    if (isSome(reader)) this.#some.pass(reader);
  }

  write(writer: Writer, value: T | null): void {
    writer.u8(value === null ? 0 : 1);
    if (value !== null) this.#some.write(writer, value);
  }

  show(value: T | null, options?: JsonOptions): Json {
    return value === null ? null : this.#some.show(value, options);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    if (isSome(reader)) this.#some.transcribe(reader, text);
    else text.raw("null");
  }

  parse(json: Json): T | null {
    return json === null ? null : this.#some.parse(json);
  }
}

function isSome(reader: Reader): boolean {
  const tag = reader.u8();
  if (tag > 1) throw reader.fail("00 (none) or 01 (some)", `byte ${tag}`);
  return tag === 1;
}

/**
 * `Option<T>`: 00, or 01 and the value. `null` stands for none; any other tag is an error.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for values that may be null themselves
 */
export function option<T>(some: Codec<T>): Codec<T | null> {
  checkCodec("the value of an option", some);
  return new OptionCodec(some);
}
