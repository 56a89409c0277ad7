/** Codecs of the storage library's types inside values: registers, and handles of collections. */
import { fromHex, toHex } from "../../bytes/hex.js";
import {
  b32,
  Codec,
  checked,
  describe,
  fixedBytes,
  type Json,
  type JsonOptions,
  type Reader,
  type Size,
  struct,
  u64,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { orUndefined } from "../../errors.js";
import { HybridTimestamp011 } from "../../payloads/index.js";
import { handleAt, readHandle } from "./handle-form.js";
import { readNested, writeNested } from "./nesting.js";
import { type CollectionType, handleParts, type Stamp } from "./type.js";
import { typeName } from "./type-name.js";
import { Handle, RegisterValue } from "./values.js";

/** The stamp of a register since core-1.0. */
const ShortStamp = struct("ShortStamp", {
  time: u64,
  id: checked(u64, "an id other than 0", (id) => id !== 0n),
});

/** A register. Its JSON form is its value alone, so JSON is not enough to write a register. */
export class RegisterCodec extends Codec<RegisterValue> {
  readonly signature: string;
  readonly size: Size;
  readonly #of: Codec<unknown>;
  readonly #stamp: Stamp;

  constructor(of: Codec<unknown>, stamp: Stamp) {
    super();
    this.#of = of;
    this.#stamp = stamp;
    this.size = { min: stamp, max: undefined };
    this.signature = `register<${of.signature}>`;
  }

  read(reader: Reader): RegisterValue {
    const value = readNested(reader, () => this.#of.read(reader));
    if (this.#stamp === 0) return new RegisterValue(value, undefined, undefined, undefined);
    if (this.#stamp === 16) {
      const { time, id } = ShortStamp.read(reader);
      return new RegisterValue(value, time, id, undefined);
    }
    const { time, id } = HybridTimestamp011.read(reader);
    return new RegisterValue(value, time, id, b32.read(reader));
  }

  write(writer: Writer, value: RegisterValue): void {
    if (!(value instanceof RegisterValue)) throw new WriteFailure("a register", describe(value));
    writeNested(() => this.#of.write(writer, value.value));
    if (this.#stamp === 0) return;
    if (value.time === undefined || value.clock === undefined)
      throw new WriteFailure("a register with its time", "none");
    const stamp = { time: value.time, id: value.clock };
    if (this.#stamp === 16) ShortStamp.write(writer, stamp);
    else {
      if (value.node === undefined) throw new WriteFailure("a register with its writer", "none");
      HybridTimestamp011.write(writer, stamp);
      b32.write(writer, value.node);
    }
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

  constructor(type: CollectionType) {
    super();
    this.#type = type;
    const parts = handleParts(type);
    const least = parts.reduce((size, part) => size + leastOf(part, type), 0);
    this.size = { min: least, max: type.isTagged ? undefined : least };
    this.signature = typeName(type);
  }

  read(reader: Reader): Handle {
    const start = reader.at;
    readHandle(this.#type, reader);
    return new Handle(this.#type, reader.bytes.subarray(start, reader.at));
  }

  write(writer: Writer, value: Handle): void {
    if (!(value instanceof Handle)) throw new WriteFailure("a handle", describe(value));
    fixedBytes(value.bytes.length).write(writer, value.bytes);
  }

  show(value: Handle): Json {
    return toHex(value.bytes);
  }

  parse(json: Json): Handle {
    const bytes = orUndefined(() => fromHex(String(json)));
    if (bytes === undefined || handleAt(this.#type, bytes, 0)?.end !== bytes.length)
      throw new WriteFailure("a handle in hexadecimal", describe(json));
    return new Handle(this.#type, bytes);
  }
}

/** Bytes of a part of a handle, at least. */
function leastOf(part: ReturnType<typeof handleParts>[number], { isTagged }: CollectionType): number {
  if (part === "flag") return 1;
  return part === "entity" && isTagged ? 33 : 32;
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
