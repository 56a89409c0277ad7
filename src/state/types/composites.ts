/** Codecs of lists, maps, tuples, records and enums. Inner codecs are computed when first used: types can be recursive. */
import {
  Codec,
  describe,
  type Json,
  type JsonOptions,
  type Reader,
  ReadFailure,
  type Size,
  WriteFailure,
  type Writer,
} from "../../codec/index.js";
import { once } from "../../node/tables/once.js";
import { at, countParts, readNested, writeNested } from "./nesting.js";
import { keyName, PairsValue, VariantValue } from "./values.js";

const ANY: Size = { min: 0, max: undefined };

/** A list of a type of the application, which may be recursive or take no bytes. */
export class ListCodec extends Codec<readonly unknown[]> {
  readonly signature: string;
  readonly size: Size = { min: 4, max: undefined };
  readonly #item: () => Codec<unknown>;

  constructor(item: string, codec: () => Codec<unknown>) {
    super();
    this.signature = `[${item}]`;
    this.#item = codec;
  }

  read(reader: Reader): readonly unknown[] {
    return readNested(reader, () => {
      const count = reader.u32();
      const codec = this.#item();
      const values: unknown[] = [];
      while (values.length < count) {
        try {
          countParts(reader);
          values.push(codec.read(reader));
        } catch (error) {
          if (error instanceof ReadFailure) error.steps.unshift(`[${values.length}]`);
          throw error;
        }
      }
      return values;
    });
  }

  write(writer: Writer, values: readonly unknown[]): void {
    if (!Array.isArray(values)) throw new WriteFailure("a list", describe(values));
    writer.u32(values.length);
    const codec = this.#item();
    writeNested(() => {
      for (const value of values) codec.write(writer, value);
    });
  }

  show(values: readonly unknown[], options?: JsonOptions): Json {
    return values.map((value) => this.#item().show(value, options));
  }

  parse(json: Json): readonly unknown[] {
    if (!Array.isArray(json)) throw new WriteFailure("a list", describe(json));
    return json.map((value: Json) => this.#item().parse(value));
  }
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
    return readNested(reader, () => {
      const count = reader.u32();
      // A key has a byte at least.
      if (count > reader.left) throw reader.fail(`${count} pairs`, `${reader.left} bytes`, reader.at);
      const pairs: (readonly [unknown, unknown])[] = [];
      for (let index = 0; index < count; index++) {
        const before = reader.at;
        countParts(reader, 2);
        at(`[${index}]`, () => pairs.push([this.#key.read(reader), this.#value().read(reader)]));
        if (reader.at === before) throw reader.fail("a pair with bytes", "none", before);
      }
      return new PairsValue(pairs);
    });
  }

  write(writer: Writer, value: PairsValue): void {
    if (!(value instanceof PairsValue)) throw new WriteFailure("pairs", describe(value));
    writer.u32(value.pairs.length);
    writeNested(() => {
      for (const [index, [key, one]] of value.pairs.entries())
        at(`[${index}]`, () => {
          this.#key.write(writer, key);
          this.#value().write(writer, one);
        });
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
    return readNested(reader, () => {
      const elements = this.#elements();
      countParts(reader, elements.length);
      return elements.map((codec, index) => at(`[${index}]`, () => codec.read(reader)));
    });
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
      const fields = this.#fields();
      countParts(reader, fields.length);
      const value: Record<string, unknown> = Object.create(null);
      for (const [name, codec] of fields) value[name] = at(name, () => codec.read(reader));
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
    const names = new Set(this.#fields().map(([name]) => name));
    for (const name of names)
      if (!Object.hasOwn(value, name))
        throw at(name, () => {
          throw new WriteFailure("a field", "no such field");
        });
    const surplus = Object.keys(value).find((name) => !names.has(name));
    if (surplus !== undefined) throw new WriteFailure(`the fields ${[...names].join(", ")}`, "another one");
  }
}

interface Variant {
  readonly name: string;
  readonly payload: Codec<unknown> | undefined;
}

/** An enum: a byte, then the payload. In JSON its name, or an object with the name and the payload. */
export class VariantCodec extends Codec<VariantValue> {
  readonly signature: string;
  readonly size: Size = { min: 1, max: undefined };
  readonly #variants: () => readonly Variant[];

  constructor(name: string, variants: () => readonly Variant[]) {
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
