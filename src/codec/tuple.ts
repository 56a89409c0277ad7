import { Codec, type Shape, type Size, sumSizes } from "./codec.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

class Pair<A, B> extends Codec<readonly [A, B]> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #first: Codec<A>;
  readonly #second: Codec<B>;

  constructor(first: Codec<A>, second: Codec<B>) {
    super();
    this.#first = first;
    this.#second = second;
    this.inner = [first, second];
    this.signature = `(${first.signature}, ${second.signature})`;
    this.size = sumSizes([first.size, second.size]);
  }

  override get shape(): Shape {
    return { is: "pair", first: this.#first, second: this.#second };
  }

  read(reader: Reader): readonly [A, B] {
    return [
      withStep("0", () => reader.field("0", this.#first)),
      withStep("1", () => reader.field("1", this.#second)),
    ];
  }

  override pass(reader: Reader): void {
    withStep("0", () => this.#first.pass(reader));
    withStep("1", () => this.#second.pass(reader));
  }

  write(writer: Writer, value: readonly [A, B]): void {
    check(value);
    withStep("0", () => this.#first.write(writer, value[0]));
    withStep("1", () => this.#second.write(writer, value[1]));
  }

  show(value: readonly [A, B], options?: JsonOptions): Json {
    return [
      withStep("0", () => this.#first.show(value[0], options)),
      withStep("1", () => this.#second.show(value[1], options)),
    ];
  }

  parse(json: Json): readonly [A, B] {
    check(json);
    const [first, second] = json as readonly [Json, Json];
    return [withStep("0", () => this.#first.parse(first)), withStep("1", () => this.#second.parse(second))];
  }
}

function check(value: unknown): void {
  if (!Array.isArray(value) || value.length !== 2) throw new WriteFailure("a list of 2", describe(value));
}

function withStep<T>(step: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw within(error, step);
  }
}

/** A tuple of two elements. */
export function pair<A, B>(first: Codec<A>, second: Codec<B>): Codec<readonly [A, B]> {
  return new Pair(first, second);
}
