/** Values inside values: bytes that the node keeps as bytes, and that hold the encoding of another type. */
import { isBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { Codec, type Size } from "./codec.js";
import { DecodeError, describe, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/**
 * Bytes that should hold a `T`. They are decoded when `value` is first asked for: who only counts or copies rows does
 * not pay for it. Bytes that hold something else are no error of the row: the node stores them all the same.
 *
 * @example
 * await using store = await openStore("node/data", { schema: core011 });
 * for await (const { value: delta } of store.scan(ContextDagDelta.range({ contextId }), { limit: 1 }))
 *   console.log(delta?.actions.bytes.length, delta?.actions.value);
 */
export class Payload<T> {
  /** The bytes as they are stored: a view. */
  readonly bytes: Uint8Array;
  readonly #codec: Codec<T>;
  #value: { readonly decoded: T | undefined } | undefined;

  constructor(codec: Codec<T>, bytes: Uint8Array) {
    this.#codec = codec;
    this.bytes = bytes;
  }

  /** The payload of a value. @throws EncodeError */
  static of<T>(codec: Codec<T>, value: T): Payload<T> {
    return new Payload(codec, codec.encode(value));
  }

  /** The value; undefined where the bytes are no encoding of a `T`. */
  get value(): T | undefined {
    if (this.#value === undefined) {
      try {
        this.#value = { decoded: this.#codec.decode(this.bytes) };
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        this.#value = { decoded: undefined };
      }
    }
    return this.#value.decoded;
  }

  /** Whether the bytes can be no others where they decode; see {@link Codec.strict}. */
  get strict(): boolean {
    return this.#codec.strict;
  }

  /** The value, or why there is none. @throws DecodeError */
  decode(): T {
    return this.#codec.decode(this.bytes);
  }

  /** The bytes that Rust writes for the value: not `bytes` where those are not canonical. @throws DecodeError */
  encode(): Uint8Array {
    return this.#codec.encode(this.value ?? this.decode());
  }
}

class PayloadCodec<T> extends Codec<Payload<T>> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #frame: Codec<Uint8Array>;
  readonly #codec: Codec<T>;

  constructor(frame: Codec<Uint8Array>, codec: Codec<T>) {
    super();
    this.#frame = frame;
    this.#codec = codec;
    this.inner = [codec];
    this.signature = `${frame.signature}(${codec.signature})`;
    this.size = frame.size;
  }

  /** Whatever the bytes hold, they are kept. */
  override get strict(): boolean {
    return this.#frame.strict;
  }

  read(reader: Reader): Payload<T> {
    const payload = new Payload(this.#codec, this.#frame.read(reader));
    if (reader.trace !== undefined && payload.value !== undefined) this.#walk(reader, payload.bytes.length);
    return payload;
  }

  write(writer: Writer, value: Payload<T>): void {
    // Bytes alone will do where the types do not see them, as from JavaScript.
    const bytes: unknown = value instanceof Payload ? value.bytes : value;
    if (!isBytes(bytes)) throw new WriteFailure("a Payload or bytes", describe(bytes));
    this.#frame.write(writer, bytes);
  }

  /** The value's own JSON form where it is exactly what the bytes hold; else the bytes as hex. */
  show(payload: Payload<T>, options?: JsonOptions): Json {
    const { value, bytes } = payload;
    const exact = value !== undefined && equalBytes(this.#codec.encode(value), bytes);
    return exact ? this.#codec.show(value, options) : this.#frame.show(bytes);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    if (!this.#codec.strict) {
      super.transcribe(reader, text);
      return;
    }
    const bytes = this.#frame.read(reader);
    if (!this.#codec.decodeAsText(bytes, text)) text.hex(bytes);
  }

  parse(json: Json): Payload<T> {
    if (typeof json === "string") return new Payload(this.#codec, this.#frame.parse(json));
    return Payload.of(this.#codec, this.#codec.parse(json));
  }

  /** Shows a trace what is inside, at its offsets in the whole value. */
  #walk(reader: Reader, length: number): void {
    const start = reader.at - length;
    if (this.#frame.size.min > 0) reader.trace?.note("length", "u32", start - 4, start, length);
    const inside = new Reader(reader.bytes.subarray(0, reader.at), reader.trace);
    inside.at = start;
    this.#codec.read(inside);
  }
}

/**
 * Bytes in a `frame` (`bytes`, or `identity` for a whole value) that hold a `T`, as {@link Payload}. In JSON the value
 * takes their place; what does not decode, or would be written as other bytes, stays hex.
 */
export function payload<T>(frame: Codec<Uint8Array>, codec: Codec<T>): Codec<Payload<T>> {
  return new PayloadCodec(frame, codec);
}
