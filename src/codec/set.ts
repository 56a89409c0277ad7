import type { Codec } from "./codec.js";
import { WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import { orderOf } from "./value-order.js";
import { vec } from "./vec.js";
import { Wrapped } from "./wrap.js";
import type { Writer } from "./writer.js";

/** A list whose elements are sorted and distinct. */
class SetCodec<T> extends Wrapped<readonly T[]> {
  override readonly signature: string;
  readonly #element: Codec<T>;
  readonly #order: (a: T, b: T) => number;

  constructor(element: Codec<T>) {
    super(vec(element));
    this.#element = element;
    this.signature = `{${element.signature}}`;
    this.#order = orderOf(element, "a set");
  }

  /** Elements may be unsorted or repeated. */
  override get strict(): boolean {
    return false;
  }

  override read(reader: Reader): readonly T[] {
    return this.#sorted(super.read(reader)).filter(
      (element, index, all) => index === 0 || this.#order(all[index - 1] as T, element) !== 0,
    );
  }

  override pass(reader: Reader): void {
    this.of.pass(reader);
  }

  override write(writer: Writer, value: readonly T[]): void {
    super.write(writer, Array.isArray(value) ? this.#distinct(value) : value);
  }

  override show(value: readonly T[], options?: JsonOptions): Json {
    return super.show(this.#sortedAsRead(value), options);
  }

  override parse(json: Json): readonly T[] {
    return this.#distinct(super.parse(json));
  }

  #sorted(value: readonly T[]): readonly T[] {
    return [...value].sort(this.#order);
  }

  /**
   * Returns the element as it decodes: a set inside may be given in any order. `write` refuses an invalid element
   * later, with its place.
   */
  #asRead(element: T): T {
    try {
      return this.#element.decode(this.#element.encode(element));
    } catch {
      return element;
    }
  }

  #sortedAsRead(value: readonly T[]): readonly T[] {
    return this.#sorted(this.#element.strict ? value : value.map((element) => this.#asRead(element)));
  }

  #distinct(value: readonly T[]): readonly T[] {
    const sorted = this.#sortedAsRead(value);
    for (let index = 1; index < sorted.length; index++)
      if (this.#order(sorted[index - 1] as T, sorted[index] as T) === 0)
        throw new WriteFailure("distinct elements", "one of them twice");
    return sorted;
  }
}

/**
 * `BTreeSet<T>`, `HashSet<T>`: u32 count, then the elements, sorted when written. It decodes to a sorted array without
 * repeated elements; as in Rust, bytes may have them in any order and repeat them. Encoding refuses equal elements.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for elements without bytes, and for `f32` and `f64`, which Rust does not
 *   sort
 */
export function set<T>(element: Codec<T>): Codec<readonly T[]> {
  return new SetCodec(element);
}
