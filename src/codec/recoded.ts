import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec } from "./declarations.js";
import type { Json, JsonOptions } from "./json.js";

/** Another encoding of the values of a codec, with the same JSON form. A subclass reads and writes the bytes. */
export abstract class Recoded<T> extends Codec<T> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  /** The codec that this one is made from. */
  protected readonly of: Codec<T>;

  constructor(of: Codec<T>, size: Size) {
    checkCodec("a codec of another one", of);
    super(of.type);
    this.of = of;
    this.signature = of.signature;
    this.size = size;
    this.inner = of.inner;
  }

  /** @internal */
  override get shape(): Shape {
    return this.of.shape;
  }

  override get layout(): string {
    return this.of.layout;
  }

  show(value: T, options?: JsonOptions): Json {
    return this.of.show(value, options);
  }

  parse(json: Json): T {
    return this.of.parse(json);
  }
}
