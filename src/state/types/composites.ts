/** Codecs of the application's types that have parts. Inner codecs are computed when first used: types can be recursive. */
import { toHex } from "../../bytes/hex.js";
import {
  b32,
  Codec,
  describe,
  fixedBytes,
  type Json,
  type JsonOptions,
  type Reader,
  ReadFailure,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { HybridTimestamp } from "../../payloads/index.js";
import { type CollectionType, handleSize, typeName } from "./type.js";
import { Handle, keyName, PairsValue, RegisterValue, VariantValue } from "./values.js";

/** The deepest nesting of named types in a value. */
export const DEEPEST_VALUE = 128;

const ANY: Size = { min: 0, max: undefined };

let depth = 0;

/** Runs a step into a named type, which may hold itself. */
function nested<T>(work: () => T, tooDeep: () => unknown): T {
  if (depth >= DEEPEST_VALUE) throw tooDeep();
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

function readNested<T>(reader: Reader, work: () => T): T {
  return nested(work, () => reader.fail(`at most ${DEEPEST_VALUE} levels of types`, "more", reader.at));
}

function writeNested<T>(work: () => T): T {
  return nested(work, () => new WriteFailure(`at most ${DEEPEST_VALUE} levels of types`, "more"));
}

function at<T>(step: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ReadFailure || error instanceof WriteFailure) error.steps.unshift(step);
    throw error;
  }
}

/** Elements one after another, as an array: tuples, and records whose fields have no names of their own. */
export class TupleCodec extends Codec<readonly unknown[]> {
  readonly signature: string;
  readonly size = ANY;
  readonly #elements: () => readonly Codec<unknown>[];

  constructor(signature: string, elements: () => readonly Codec<unknown>[]) {
    super();
    this.signature = signature;
    this.#elements = once(elements);
  }

  read(reader: Reader): readonly unknown[] {
    return readNested(reader, () =>
      this.#elements().map((codec, index) => at(`[${index}]`, () => codec.read(reader))),
    );
  }

  write(writer: Writer, value: readonly unknown[]): void {
    writeNested(() => {
      for (const [index, codec] of this.#pairedWith(value))
        at(`[${index}]`, () => codec.write(writer, value[index]));
    });
  }

  show(value: readonly unknown[], options?: JsonOptions): Json {
    return this.#elements().map((codec, index) => codec.show(value[index], options));
  }

  parse(json: Json): readonly unknown[] {
    return this.#pairedWith(json).map(([index, codec]) =>
      at(`[${index}]`, () => codec.parse((json as readonly Json[])[index] as Json)),
    );
  }

  #pairedWith(value: unknown): (readonly [number, Codec<unknown>])[] {
    const elements = this.#elements();
    if (!Array.isArray(value) || value.length !== elements.length)
      throw new WriteFailure(`a list of ${elements.length}`, describe(value));
    return [...elements.entries()];
  }
}

/** A record: an object without a prototype. */
export class RecordCodec extends Codec<Readonly<Record<string, unknown>>> {
  readonly signature: string;
  readonly size = ANY;
  readonly #fields: () => readonly (readonly [name: string, codec: Codec<unknown>])[];

  constructor(name: string | undefined, fields: () => readonly (readonly [string, Codec<unknown>])[]) {
    super(name);
    this.signature = name ?? "record";
    this.#fields = once(fields);
  }

  read(reader: Reader): Readonly<Record<string, unknown>> {
    return readNested(reader, () => {
      const value: Record<string, unknown> = Object.create(null);
      for (const [name, codec] of this.#fields()) value[name] = at(name, () => codec.read(reader));
      return value;
    });
  }

  write(writer: Writer, value: Readonly<Record<string, unknown>>): void {
    this.#check(value);
    writeNested(() => {
      for (const [name, codec] of this.#fields()) at(name, () => codec.write(writer, value[name]));
    });
  }

  show(value: Readonly<Record<string, unknown>>, options?: JsonOptions): Json {
    const json: Record<string, Json> = Object.create(null);
    for (const [name, codec] of this.#fields()) json[name] = codec.show(value[name], options);
    return json;
  }

  parse(json: Json): Readonly<Record<string, unknown>> {
    this.#check(json);
    const value: Record<string, unknown> = Object.create(null);
    for (const [name, codec] of this.#fields())
      value[name] = at(name, () => codec.parse((json as Readonly<Record<string, Json>>)[name] as Json));
    return value;
  }

  #check(value: unknown): void {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array)
      throw new WriteFailure("an object", describe(value));
    const names = this.#fields().map(([name]) => name);
    for (const name of names)
      if (!Object.hasOwn(value, name))
        throw at(name, () => {
          throw new WriteFailure("a field", "no such field");
        });
    const surplus = Object.keys(value).find((name) => !names.includes(name));
    if (surplus !== undefined) throw new WriteFailure(`the fields ${names.join(", ")}`, "another one");
  }
}

/** An enum: a byte, then the payload. In JSON its name, or an object with the name and the payload. */
export class VariantCodec extends Codec<VariantValue> {
  readonly signature: string;
  readonly size: Size = { min: 1, max: undefined };
  readonly #variants: () => readonly {
    readonly name: string;
    readonly payload: Codec<unknown> | undefined;
  }[];

  constructor(
    name: string,
    variants: () => readonly { readonly name: string; readonly payload: Codec<unknown> | undefined }[],
  ) {
    super(name);
    this.signature = name;
    this.#variants = once(variants);
  }

  read(reader: Reader): VariantValue {
    const tag = reader.u8();
    const variant = this.#variants()[tag];
    if (variant === undefined) throw reader.fail(`a tag below ${this.#variants().length}`, `tag ${tag}`);
    const { name, payload } = variant;
    return new VariantValue(name, payload && readNested(reader, () => at(name, () => payload.read(reader))));
  }

  write(writer: Writer, value: VariantValue): void {
    const variants = this.#variants();
    const tag = value instanceof VariantValue ? variants.findIndex(({ name }) => name === value.name) : -1;
    const variant = variants[tag];
    if (variant === undefined) throw new WriteFailure(`a variant of ${this.signature}`, describe(value));
    writer.u8(tag);
    if (variant.payload !== undefined)
      writeNested(() => at(variant.name, () => variant.payload?.write(writer, value.payload)));
  }

  show(value: VariantValue, options?: JsonOptions): Json {
    const payload = this.#variants().find(({ name }) => name === value.name)?.payload;
    return payload === undefined ? value.name : own(value.name, payload.show(value.payload, options));
  }

  parse(json: Json): VariantValue {
    const name = typeof json === "string" ? json : Object.keys(json ?? {})[0];
    const variant = this.#variants().find((one) => one.name === name);
    if (variant === undefined || (variant.payload === undefined) !== (typeof json === "string"))
      throw new WriteFailure(`a variant of ${this.signature}`, describe(json));
    const payload = (json as Readonly<Record<string, Json>>)[variant.name] as Json;
    return new VariantValue(variant.name, variant.payload?.parse(payload));
  }
}

/** An object with one field, whatever its name. */
function own(name: string, value: Json): Json {
  const json: Record<string, Json> = Object.create(null);
  json[name] = value;
  return json;
}

/** A map inside a value. In JSON an object. */
export class PairsCodec extends Codec<PairsValue> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  readonly #key: Codec<unknown>;
  readonly #value: () => Codec<unknown>;

  constructor(key: Codec<unknown>, value: () => Codec<unknown>) {
    super();
    this.signature = `map<${key.signature}>`;
    this.#key = key;
    this.#value = once(value);
  }

  read(reader: Reader): PairsValue {
    const count = reader.u32();
    // A key has a byte at least.
    if (count > reader.left) throw reader.fail(`${count} pairs`, `${reader.left} bytes`, reader.at);
    const pairs: (readonly [unknown, unknown])[] = [];
    for (let index = 0; index < count; index++) {
      const before = reader.at;
      at(`[${index}]`, () => pairs.push([this.#key.read(reader), this.#value().read(reader)]));
      if (reader.at === before) throw reader.fail("a pair with bytes", "none", before);
    }
    return new PairsValue(pairs);
  }

  write(writer: Writer, value: PairsValue): void {
    if (!(value instanceof PairsValue)) throw new WriteFailure("pairs", describe(value));
    writer.u32(value.pairs.length);
    for (const [index, [key, one]] of value.pairs.entries())
      at(`[${index}]`, () => {
        this.#key.write(writer, key);
        this.#value().write(writer, one);
      });
  }

  show(value: PairsValue, options?: JsonOptions): Json {
    const json: Record<string, Json> = Object.create(null);
    for (const [key, one] of value.pairs) json[keyName(key)] = this.#value().show(one, options);
    return json;
  }

  parse(json: Json): PairsValue {
    if (typeof json !== "object" || json === null || Array.isArray(json))
      throw new WriteFailure("an object", describe(json));
    // Names of numbers are texts in JSON.
    const numeric = /^[ui](8|16|32)$/.test(this.#key.signature);
    return new PairsValue(
      Object.entries(json).map(([name, one]) => [
        this.#key.parse(numeric ? Number(name) : name),
        at(name, () => this.#value().parse(one)),
      ]),
    );
  }
}

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
    const value = this.#of.read(reader);
    const { time, id } = HybridTimestamp.read(reader);
    return new RegisterValue(value, time, id, b32.read(reader));
  }

  write(writer: Writer, value: RegisterValue): void {
    if (!(value instanceof RegisterValue)) throw new WriteFailure("a register", describe(value));
    this.#of.write(writer, value.value);
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

/** The handle of a collection. In JSON its bytes: what the collection holds is in other rows. */
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
  readonly size = ANY;

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

function once<T>(compute: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= compute();
    return value;
  };
}
