/** Codecs of the storage library's types inside values: registers, and handles of collections. */
import { toHex } from "../../bytes/hex.js";
import {
  b32,
  Codec,
  describe,
  fixedBytes,
  type Json,
  type JsonOptions,
  type Reader,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { HybridTimestamp } from "../../payloads/index.js";
import { readNested, writeNested } from "./nesting.js";
import { type CollectionType, handleSize } from "./type.js";
import { typeName } from "./type-name.js";
import { Handle, RegisterValue } from "./values.js";

/** A register. In JSON its value alone, so that JSON does not say enough to write one. */
export class RegisterCodec extends Codec<RegisterValue> {
  readonly signature: string;
  readonly size: Size = { min: 56, max: undefined };
  readonly #of: Codec<unknown>;

  constructor(of: Codec<unknown>) {
    super();
    this.#of = of;
    this.signature = `register<${of.signature}>`;
  }

  read(reader: Reader): RegisterValue {
    const value = readNested(reader, () => this.#of.read(reader));
    const { time, id } = HybridTimestamp.read(reader);
    return new RegisterValue(value, time, id, b32.read(reader));
  }

  write(writer: Writer, value: RegisterValue): void {
    if (!(value instanceof RegisterValue)) throw new WriteFailure("a register", describe(value));
    writeNested(() => this.#of.write(writer, value.value));
    HybridTimestamp.write(writer, { time: value.time, id: value.clock });
    b32.write(writer, value.node);
  }

  show(value: RegisterValue, options?: JsonOptions): Json {
    return this.#of.show(value.value, options);
  }

  parse(): RegisterValue {
    throw new WriteFailure("a register with the time of its last write", "its value alone");
  }
}

/** The handle of a collection. Its JSON is its bytes: other rows hold the entries of the collection. */
export class HandleCodec extends Codec<Handle> {
  readonly signature: string;
  readonly size: Size;
  readonly #type: CollectionType;
  readonly #bytes: Codec<Uint8Array>;

  constructor(type: CollectionType) {
    super();
    const size = handleSize(type);
    this.#type = type;
    this.#bytes = fixedBytes(size);
    this.size = { min: size, max: size };
    this.signature = typeName(type);
  }

  read(reader: Reader): Handle {
    const bytes = this.#bytes.read(reader);
    if (bytes.length === 33 && (bytes[32] as number) > 1) throw reader.fail("00 or 01", "another byte");
    return new Handle(this.#type, bytes);
  }

  write(writer: Writer, value: Handle): void {
    if (!(value instanceof Handle)) throw new WriteFailure("a handle", describe(value));
    this.#bytes.write(writer, value.bytes);
  }

  show(value: Handle): Json {
    return toHex(value.bytes);
  }

  parse(json: Json): Handle {
    return new Handle(this.#type, this.#bytes.parse(json));
  }
}

/** A type that nothing reads. */
export class UnreadableCodec extends Codec<never> {
  readonly signature: string;
  readonly size: Size = { min: 0, max: undefined };

  constructor(name: string) {
    super();
    this.signature = name;
  }

  read(reader: Reader): never {
    throw reader.fail("a type that is known", this.signature, reader.at);
  }

  write(): never {
    throw new WriteFailure("a type that is known", this.signature);
  }

  show(): Json {
    return null;
  }

  parse(): never {
    throw new WriteFailure("a type that is known", this.signature);
  }
}
