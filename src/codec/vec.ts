import { invalidArgument } from "../errors.js";
import type { Steps } from "../steps.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec, checkItems } from "./declarations.js";
import { describe, ReadFailure, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** The most elements of an array. */
const MOST_ELEMENTS = 65_535;

/** The cause of the error for a list that is too long to be decoded; Rust decodes it. */
export const TOO_MANY = new Error("more than merostore decodes");

/** Elements that are read in one step. */
const STEP = 64;

/** Elements one after another: after their number, or always the same number. */
class Vec<T> extends Codec<readonly T[]> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #element: Codec<T>;
  /** The number of elements; undefined if the bytes begin with it. */
  readonly #length: number | undefined;
  readonly #most: number;

  constructor(element: Codec<T>, length?: number, most = Number.POSITIVE_INFINITY) {
    super();
    this.#element = element;
    this.#length = length;
    this.#most = most;
    this.inner = [element];
    if (length === undefined) {
      checkItems("a list", element.size);
      this.size = { min: 4, max: undefined };
      this.signature = `[${element.signature}]`;
    } else {
      const { min, max } = element.size;
      this.size = { min: length * min, max: max === undefined ? undefined : length * max };
      this.signature = `[${element.signature}; ${length}]`;
    }
  }

  override get shape(): Shape {
    return { is: "list", of: this.#element };
  }

  read(reader: Reader): readonly T[] {
    const count = this.#count(reader);
    if (this.#length === undefined) reader.trace?.note("count", "u32", reader.at - 4, reader.at, count);
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

  /** @internal */
  override *reading(reader: Reader): Steps<readonly T[]> {
    const count = this.#count(reader);
    const values: T[] = [];
    try {
      for (let index = 0; index < count; index++) {
        if (index % STEP === STEP - 1) yield;
        values.push(this.#element.readCompared(reader));
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
    this.#check(values);
    if (this.#length === undefined) writer.u32(values.length);
    writer.room(values.length * this.#element.size.min);
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
    this.#check(json);
    return (json as readonly Json[]).map((element, index) => {
      try {
        return this.#element.parse(element);
      } catch (error) {
        throw within(error, `[${index}]`);
      }
    });
  }

  /** Checks the count before anything is allocated, so that a false count costs nothing. */
  #count(reader: Reader): number {
    const count = this.#length ?? reader.u32();
    const { min } = this.#element.size;
    if (count * min > reader.left)
      throw reader.fail(`${count} elements of at least ${min} bytes`, `${reader.left} bytes`, reader.at);
    if (count > this.#most)
      throw new ReadFailure(
        reader.at,
        `at most ${this.#most} elements`,
        `${count}, ${TOO_MANY.message}`,
        TOO_MANY,
      );
    return count;
  }

  #check(value: unknown): void {
    const length = this.#length;
    if (!Array.isArray(value) || (length !== undefined && value.length !== length))
      throw new WriteFailure(length === undefined ? "a list" : `a list of ${length}`, describe(value));
  }
}

/**
 * `Vec<T>`, `Box<[T]>`: u32 count, then the elements. For `Vec<u8>` use `bytes`.
 *
 * @param most the most elements that decode: a longer list would hold the thread for long
 */
export function vec<T>(element: Codec<T>, most?: number): Codec<readonly T[]> {
  checkCodec("the elements of a list", element);
  return new Vec(element, undefined, most);
}

/**
 * `[T; length]`: as many elements, without a count. For `[u8; N]` use `fixedBytes`.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for elements that may have no bytes, and for a length that is not a whole
 *   number from 0 to 65,535
 */
export function array<T>(length: number, element: Codec<T>): Codec<readonly T[]> {
  checkCodec("the elements of an array", element);
  checkItems("an array", element.size);
  if (!Number.isInteger(length) || length < 0 || length > MOST_ELEMENTS)
    throw invalidArgument(`an array has 0 to ${MOST_ELEMENTS} elements, not ${length}`);
  return new Vec(element, length);
}
