import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec, checkItems } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class Vec<T> extends Codec<readonly T[]> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  override readonly inner: readonly Codec<unknown>[];
  readonly #element: Codec<T>;

  constructor(element: Codec<T>) {
    super();
    checkItems("list", element.size);
    this.#element = element;
    this.inner = [element];
    this.signature = `[${element.signature}]`;
  }

  override get shape(): Shape {
    return { is: "list", of: this.#element };
  }

  read(reader: Reader): readonly T[] {
    const count = this.#count(reader);
    reader.trace?.note("count", "u32", reader.at - 4, reader.at, count);
    const values: T[] = [];
    try {
      for (let index = 0; index < count; index++) {
        values.push(
          reader.trace === undefined ? this.#element.read(reader) : reader.field(`[${index}]`, this.#element),
        );
      }
    } catch (error) {
      throw within(error, `[${values.length}]`);
    }
    return values;
  }

  override pass(reader: Reader): void {
    const count = this.#count(reader);
    let index = 0;
    try {
      for (; index < count; index++) this.#element.pass(reader);
    } catch (error) {
      throw within(error, `[${index}]`);
    }
  }

  write(writer: Writer, values: readonly T[]): void {
    if (!Array.isArray(values)) throw new WriteFailure("a list", describe(values));
    writer.u32(values.length);
    for (let index = 0; index < values.length; index++) {
      try {
        this.#element.write(writer, values[index] as T);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    }
  }

  show(values: readonly T[], options?: JsonOptions): Json {
    return values.map((value, index) => {
      try {
        return this.#element.show(value, options);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    });
  }

  override transcribe(reader: Reader, text: JsonText): void {
    const count = this.#count(reader);
    text.raw("[");
    for (let index = 0; index < count; index++) {
      if (index > 0) text.raw(",");
      this.#element.transcribe(reader, text);
    }
    text.raw("]");
  }

  parse(json: Json): readonly T[] {
    if (!Array.isArray(json)) throw new WriteFailure("a list", describe(json));
    return json.map((element: Json, index) => {
      try {
        return this.#element.parse(element);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    });
  }

  /** Checks the count before anything is allocated, so that a false count costs nothing. */
  #count(reader: Reader): number {
    const count = reader.u32();
    const { min } = this.#element.size;
    if (count * min > reader.left)
      throw reader.fail(`${count} elements of at least ${min} bytes`, `${reader.left} bytes`, reader.at);
    return count;
  }
}

/** `Vec<T>`, `Box<[T]>`: u32 count, then the elements. For `Vec<u8>` use `bytes`. */
export function vec<T>(element: Codec<T>): Codec<readonly T[]> {
  checkCodec("the elements of a list", element);
  return new Vec(element);
}
