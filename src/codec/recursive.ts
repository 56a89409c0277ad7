import { invalidArgument } from "../errors.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec } from "./declarations.js";
import { WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** The deepest nesting. */
export const DEEPEST_NESTING = 256;

/** Counts the values around the current one. */
export class Nesting {
  #depth = 0;

  /** True while no value is entered. */
  get isOutside(): boolean {
    return this.#depth === 0;
  }

  /** Runs `work` one level deeper, or throws at the deepest level. */
  enter<R>(work: () => R, tooDeep: () => unknown): R {
    if (this.#depth >= DEEPEST_NESTING) throw tooDeep();
    this.#depth++;
    try {
      return work();
    } finally {
      this.#depth--;
    }
  }
}

const TOO_DEEP = `at most ${DEEPEST_NESTING} levels of a type in itself`;

const nesting = new Nesting();

/** A type inside itself. Its values have at least one byte: otherwise reading would not end. */
class Self<T> extends Codec<T> {
  readonly signature: string;
  readonly size: Size = { min: 1, max: undefined };
  #of: Codec<T> | undefined;
  readonly #calls: (() => void)[] = [];

  constructor(type: string) {
    super(type);
    this.signature = type;
  }

  override get shape(): Shape {
    return { is: "self", of: () => this.#of, whenDefined: (call) => this.#calls.push(call) };
  }

  /** Defines the type. */
  define(of: Codec<T>): void {
    checkCodec(`the type ${this.signature}`, of);
    this.#of = of;
    for (const call of this.#calls.splice(0)) call();
  }

  read(reader: Reader): T {
    return nesting.enter(
      () => this.#codec.read(reader),
      () => reader.fail(TOO_DEEP, "more", reader.at),
    );
  }

  override pass(reader: Reader): void {
    nesting.enter(
      () => this.#codec.pass(reader),
      () => reader.fail(TOO_DEEP, "more", reader.at),
    );
  }

  write(writer: Writer, value: T): void {
    nesting.enter(() => this.#codec.write(writer, value), tooDeep);
  }

  show(value: T, options?: JsonOptions): Json {
    return nesting.enter(() => this.#codec.show(value, options), tooDeep);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    nesting.enter(
      () => this.#codec.transcribe(reader, text),
      () => reader.fail(TOO_DEEP, "more", reader.at),
    );
  }

  parse(json: Json): T {
    return nesting.enter(() => this.#codec.parse(json), tooDeep);
  }

  get #codec(): Codec<T> {
    checkCodec(`the type ${this.signature}`, this.#of);
    return this.#of as Codec<T>;
  }
}

function tooDeep(): WriteFailure {
  return new WriteFailure(TOO_DEEP, "more");
}

/**
 * A type that contains itself. Values are nested at most 256 times.
 *
 * @param type the Rust name of the type
 * @param define creates the codec from the codec of the type itself
 * @throws MerostoreError `INVALID_ARGUMENT` if `define` does not return a codec, or puts a type with fractions into a
 *   set
 * @example
 * interface Tree {
 *   readonly name: string;
 *   readonly children: readonly Tree[];
 * }
 * const Tree = recursive<Tree>("Tree", (tree) => struct("Tree", { name: str, children: vec(tree) }));
 */
export function recursive<T>(type: string, define: (self: Codec<T>) => Codec<T>): Codec<T> {
  if (typeof define !== "function")
    throw invalidArgument(`the type ${type}: a function that declares it is expected`);
  const self = new Self<T>(type);
  const codec = define(self);
  self.define(codec);
  return codec;
}
