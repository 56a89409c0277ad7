import { Codec, type Size } from "./codec.js";
import { ReadFailure, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { Reader } from "./reader.js";
import { Writer } from "./writer.js";

class FirstOf<T> extends Codec<T> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #codecs: readonly Codec<T>[];

  constructor(type: string, codecs: readonly Codec<T>[]) {
    super(type);
    this.#codecs = codecs;
    this.signature = type;
    this.inner = codecs.flatMap(({ inner }) => inner);
    const largest = codecs.map(({ size }) => size.max);
    this.size = {
      min: Math.min(...codecs.map(({ size }) => size.min)),
      max: largest.includes(undefined) ? undefined : Math.max(...(largest as number[])),
    };
  }

  override get layout(): string {
    return this.#codecs.map(({ layout }) => layout).join(" or ");
  }

  read(reader: Reader): T {
    const { at: start, trace } = reader;
    reader.trace = undefined;
    const whole = this.#codecs.find((codec) => {
      reader.at = start;
      return readsAll(codec, reader);
    });
    reader.at = start;
    reader.trace = trace;
    return (whole ?? (this.#codecs[0] as Codec<T>)).read(reader);
  }

  write(writer: Writer, value: T): void {
    writer.bytes(this.#first((codec) => encoded(codec, value)));
  }

  show(value: T, options?: JsonOptions): Json {
    return this.#first((codec) => {
      encoded(codec, value);
      return codec.show(value, options);
    });
  }

  parse(json: Json): T {
    return this.#first((codec) => codec.parse(json));
  }

  /** The first result without a failure; the failure of the newest layout if there is none. */
  #first<R>(attempt: (codec: Codec<T>) => R): R {
    let failure: WriteFailure | undefined;
    for (const codec of this.#codecs) {
      try {
        return attempt(codec);
      } catch (error) {
        if (!(error instanceof WriteFailure)) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }
}

function readsAll<T>(codec: Codec<T>, reader: Reader): boolean {
  try {
    codec.read(reader);
    return reader.left === 0;
  } catch (error) {
    if (error instanceof ReadFailure) return false;
    throw error;
  }
}

function encoded<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = new Writer(256);
  writer.begin();
  codec.write(writer, value);
  return writer.finish();
}

/**
 * A whole value in one of several layouts, newest first: bytes are read in the first layout that takes all of them, and a
 * value is written in the first layout that has its fields.
 */
export function firstOf<T>(type: string, codecs: readonly Codec<T>[]): Codec<T> {
  return new FirstOf(type, codecs);
}
