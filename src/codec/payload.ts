/** Values inside values: byte strings that contain the encoding of another type. */
import { isBytes, ownBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import type { Steps } from "../steps.js";
import { Codec, type Shape, type Size } from "./codec.js";
import { checkCodec } from "./declarations.js";
import { DecodeError, describe, ReadFailure, WriteFailure } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/**
 * Bytes that should encode a `T`. They are decoded when `value` is first read, so counting and copying rows does not
 * pay for it. Other bytes are not an error of the row, because the node stores them too.
 *
 * @example
 * await using store = await openStore("node/data", { schema: core011 });
 * for await (const { value: delta } of store.table(ContextDagDelta).scan({ prefix: { contextId }, limit: 1 }))
 *   console.log(delta?.actions.bytes.length, delta?.actions.value);
 */
export class Payload<T> {
  /** The stored bytes, as a view. */
  readonly bytes: Uint8Array;
  readonly #codec: Codec<T>;
  #value: { readonly decoded: T | undefined } | undefined;
  #isCanonical: boolean | undefined;

  constructor(codec: Codec<T>, bytes: Uint8Array) {
    this.#codec = codec;
    this.bytes = ownBytes(bytes);
  }

  /** Encodes a value as a payload. @throws EncodeError */
  static of<T>(codec: Codec<T>, value: T): Payload<T> {
    return new Payload(codec, codec.encode(value));
  }

  /** The value; undefined if the bytes do not decode. */
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

  /** @internal The type of the value. */
  get codec(): Codec<T> {
    return this.#codec;
  }

  /** True if bytes that decode are always canonical; see {@link Codec.strict}. */
  get strict(): boolean {
    return this.#codec.strict;
  }

  /** @internal True if `encode` gives the stored bytes. @throws DecodeError */
  get isCanonical(): boolean {
    this.#isCanonical ??= (this.strict && this.value !== undefined) || equalBytes(this.encode(), this.bytes);
    return this.#isCanonical;
  }

  /** @internal Sets `value` and `isCanonical` in steps. If the bytes do not decode, it sets neither. */
  *reading(): Steps<void> {
    if (this.#value !== undefined) return;
    const reader = new Reader(this.bytes);
    reader.isExact = true;
    const decoded = yield* this.#codec.readingWhole(reader);
    if (decoded instanceof ReadFailure) return;
    this.#value = { decoded };
    this.#isCanonical = reader.isExact;
  }

  /** Returns the value. @throws DecodeError */
  decode(): T {
    return this.#codec.decode(this.bytes);
  }

  /**
   * Returns the bytes that Rust writes for the value; they differ from `bytes` if `bytes` is not canonical.
   *
   * @throws DecodeError
   */
  encode(): Uint8Array {
    return this.#codec.encode(this.value ?? this.decode());
  }
}

/** Shapes of values whose JSON form is never a text. */
const NO_TEXT: ReadonlySet<string> = new Set(["list", "tuple", "map", "struct", "enum"]);

class PayloadCodec<T> extends Codec<Payload<T>> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #frame: Codec<Uint8Array>;
  readonly #codec: Codec<T>;

  constructor(frame: Codec<Uint8Array>, codec: Codec<T>) {
    super();
    checkCodec("the bytes of a payload", frame);
    checkCodec("a payload", codec);
    this.#frame = frame;
    this.#codec = codec;
    this.inner = [codec];
    this.signature = `${frame.signature}(${codec.signature})`;
    this.size = frame.size;
  }

  override get shape(): Shape {
    return { is: "payload", of: this.#codec };
  }

  /** Any bytes are kept unchanged. */
  override get strict(): boolean {
    return this.#frame.strict;
  }

  read(reader: Reader): Payload<T> {
    const payload = new Payload(this.#codec, this.#frame.read(reader));
    if (reader.trace !== undefined && payload.value !== undefined) this.#walk(reader, payload.bytes.length);
    return payload;
  }

  write(writer: Writer, value: Payload<T>): void {
    // JavaScript callers may pass bytes instead of a Payload.
    const bytes: unknown = value instanceof Payload ? value.bytes : value;
    if (!isBytes(bytes)) throw new WriteFailure("a Payload or bytes", describe(bytes));
    this.#frame.write(writer, bytes);
  }

  /** Returns the JSON form of the value. Bytes that are not canonical, and a value whose form is a text, stay hex. */
  show(payload: Payload<T>, options?: JsonOptions): Json {
    const { value, bytes } = payload;
    if (value !== undefined && equalBytes(this.#codec.encode(value), bytes)) {
      const json = this.#codec.show(value, options);
      // `parse` would read a text as hex. Nothing reads a form for people.
      if (typeof json !== "string" || typeof this.#codec.show(value) !== "string") return json;
    }
    return options?.redactSecrets && this.secret ? "redacted" : this.#frame.show(bytes);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    const bytes = this.#frame.read(reader);
    const isFast = this.#codec.strict && NO_TEXT.has(this.#codec.shape.is);
    if (isFast && this.#codec.decodeAsText(bytes, text)) return;
    text.raw(JSON.stringify(this.show(new Payload(this.#codec, bytes), text.options)));
  }

  parse(json: Json): Payload<T> {
    if (typeof json === "string") return new Payload(this.#codec, this.#frame.parse(json));
    return Payload.of(this.#codec, this.#codec.parse(json));
  }

  /** Passes the fields inside to the trace, at their offsets in the whole value. */
  #walk(reader: Reader, length: number): void {
    const start = reader.at - length;
    if (this.#frame.size.min === 4) reader.trace?.note("length", "u32", start - 4, start, length);
    const inside = new Reader(reader.bytes.subarray(0, reader.at), reader.trace);
    inside.at = start;
    this.#codec.read(inside);
  }
}

/**
 * A {@link Payload} in a `frame`: `bytes`, or `identity` for a whole value. Its JSON form is the value's form, or hex
 * if that form is a text, or if the bytes do not decode or are not canonical.
 */
export function payload<T>(frame: Codec<Uint8Array>, codec: Codec<T>): Codec<Payload<T>> {
  return new PayloadCodec(frame, codec);
}

const NONE: readonly Payload<unknown>[] = [];

/** @internal The payloads of a value: the value itself, or its fields. */
export function payloadsIn(value: unknown): readonly Payload<unknown>[] {
  if (value instanceof Payload) return [value];
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return NONE;
  const fields = value as Readonly<Record<string, unknown>>;
  let found: Payload<unknown>[] | undefined;
  for (const name in fields) {
    const field = fields[name];
    if (!(field instanceof Payload)) continue;
    if (found === undefined) found = [field];
    else found.push(field);
  }
  return found ?? NONE;
}
