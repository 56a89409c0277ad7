import { Codec, type Decoded, type Shape, type Size, sumSizes } from "./codec.js";
import { checkCodec } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class Tuple extends Codec<readonly unknown[]> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];

  constructor(elements: readonly Codec<unknown>[]) {
    super();
    for (const [index, element] of elements.entries()) checkCodec(`the element ${index} of a tuple`, element);
    this.inner = elements;
    this.signature = `(${elements.map(({ signature }) => signature).join(", ")})`;
    this.size = sumSizes(elements.map(({ size }) => size));
  }

  override get shape(): Shape {
    return { is: "tuple", of: this.inner };
  }

  read(reader: Reader): readonly unknown[] {
    return this.#each((codec, index) => reader.field(`${index}`, codec));
  }

  override pass(reader: Reader): void {
    this.#each((codec) => codec.pass(reader));
  }

  write(writer: Writer, value: readonly unknown[]): void {
    this.#check(value);
    this.#each((codec, index) => codec.write(writer, value[index]));
  }

  show(value: readonly unknown[], options?: JsonOptions): Json {
    return this.#each((codec, index) => codec.show(value[index], options));
  }

  parse(json: Json): readonly unknown[] {
    this.#check(json);
    return this.#each((codec, index) => codec.parse((json as readonly Json[])[index] as Json));
  }

  #each<T>(action: (codec: Codec<unknown>, index: number) => T): T[] {
    return this.inner.map((codec, index) => {
      try {
        return action(codec, index);
      } catch (error) {
        throw within(error, `${index}`);
      }
    });
  }

  #check(value: unknown): void {
    const { length } = this.inner;
    if (!Array.isArray(value) || value.length !== length)
      throw new WriteFailure(`a list of ${length}`, describe(value));
  }
}

/** The value of a tuple of these codecs. */
export type TupleOf<C extends readonly Codec<unknown>[]> = { readonly [I in keyof C]: Decoded<C[I]> };

/**
 * A tuple, `(A, B, …)`: its elements one after another. It decodes to an array.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for an element that is not a codec
 * @example
 * tuple(u8, str).encode([7, "seven"]); // 07 05000000 736576656e
 */
export function tuple<const C extends readonly Codec<unknown>[]>(...elements: C): Codec<TupleOf<C>> {
  return new Tuple(elements) as unknown as Codec<TupleOf<C>>;
}
