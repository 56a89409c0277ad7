import type { Steps } from "../steps.js";
import { Codec, type Decoded, type Shape, type ShapeFields, type Size, sumSizes } from "./codec.js";
import { checkCodecs } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import type { Writer } from "./writer.js";

/** Fields by name, in the order of their bytes. */
export type Fields = Readonly<Record<string, Codec<unknown>>>;

/** The value of a struct with these fields. */
export type StructOf<F extends Fields> = Plain<{ readonly [K in keyof F]: Decoded<F[K]> }>;

/** The same object type, flattened so that editors show its fields. */
export type Plain<T> = { [K in keyof T]: T[K] } & {};

type Values = Record<string, unknown>;

class Struct extends Codec<Values> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #names: readonly string[];
  /** Made when they are first needed: most types of a program write no JSON. */
  #labels: readonly Uint8Array[] | undefined;

  constructor(type: string, fields: Fields) {
    super(type);
    this.signature = type;
    this.#names = Object.keys(fields);
    this.inner = Object.values(fields);
    this.size = sumSizes(this.inner.map((codec) => codec.size));
  }

  override get shape(): Shape {
    return { is: "struct", fields: shapeFields(this.#names, this.inner) };
  }

  override get layout(): string {
    return formatFields(this.#names, this.inner);
  }

  read(reader: Reader): Values {
    return readFields(reader, {}, this.#names, this.inner);
  }

  /** @internal */
  override *reading(reader: Reader): Steps<Values> {
    const value: Values = {};
    for (const [at, name] of this.#names.entries())
      try {
        value[name] = yield* (this.inner[at] as Codec<unknown>).reading(reader);
      } catch (error) {
        throw within(error, name);
      }
    return value;
  }

  override pass(reader: Reader): void {
    passFields(reader, this.#names, this.inner);
  }

  write(writer: Writer, value: Values): void {
    writeFields(writer, value, this.#names, this.inner, 0);
  }

  show(value: Values, options?: JsonOptions): Json {
    return fieldsToJson({}, value, this.#names, this.inner, options);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    this.#labels ??= labelsOf(this.#names);
    transcribeFields(reader, text, this.#labels, this.inner);
  }

  parse(json: Json): Values {
    return parseFields({}, json, this.#names, this.inner, 0);
  }
}

/**
 * A struct: its fields one after another, without padding or names. It decodes to a plain object with the fields in the
 * same order. `type` is the Rust type's name. Encoding throws for a missing or a surplus field.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a field named like an integer, a symbol or `__proto__`, and for a field
 *   without a codec
 * @example
 * const Head = struct("GroupOpHeadValue", { sequence: u64, dagHeads: vec(b32) });
 * Head.encode({ sequence: 1n, dagHeads: [] }); // 12 bytes
 */
export function struct<const F extends Fields>(type: string, fields: F): Codec<StructOf<F>> {
  checkCodecs(type, "field", fields);
  return new Struct(type, fields) as unknown as Codec<StructOf<F>>;
}

/** Formats fields as `{a u64, b [b32]}`. */
export function formatFields(names: readonly string[], codecs: readonly Codec<unknown>[]): string {
  return `{${names.map((name, index) => `${name} ${(codecs[index] as Codec<unknown>).signature}`).join(", ")}}`;
}

/** @internal Names with their codecs. */
export function shapeFields(names: readonly string[], codecs: readonly Codec<unknown>[]): ShapeFields {
  return names.map((name, index) => [name, codecs[index] as Codec<unknown>]);
}

/** Reads the fields into `target`. */
export function readFields(
  reader: Reader,
  target: Values,
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
): Values {
  let index = 0;
  try {
    for (; index < names.length; index++) {
      const name = names[index] as string;
      const codec = codecs[index] as Codec<unknown>;
      target[name] = reader.trace === undefined ? codec.read(reader) : reader.field(name, codec);
    }
  } catch (error) {
    throw within(error, names[index] as string);
  }
  return target;
}

/** Skips the fields. */
export function passFields(
  reader: Reader,
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
): void {
  let index = 0;
  try {
    for (; index < codecs.length; index++) (codecs[index] as Codec<unknown>).pass(reader);
  } catch (error) {
    throw within(error, names[index] as string);
  }
}

/** Writes the fields of `value`, which may have `extra` properties besides them (the `kind` of an enum). */
export function writeFields(
  writer: Writer,
  value: Values,
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
  extra: number,
): void {
  checkFields(value, names, extra);
  let index = 0;
  try {
    for (; index < names.length; index++) {
      const field = value[names[index] as string];
      const codec = codecs[index] as Codec<unknown>;
      if (field === undefined) throw new WriteFailure(codec.signature, "no such field");
      codec.write(writer, field);
    }
  } catch (error) {
    throw within(error, names[index] as string);
  }
}

/** Adds the JSON form of the fields to `target`. */
export function fieldsToJson(
  target: Record<string, Json>,
  value: Values,
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
  options?: JsonOptions,
): Json {
  let index = 0;
  try {
    for (; index < names.length; index++) {
      const name = names[index] as string;
      target[name] = (codecs[index] as Codec<unknown>).show(value[name], options);
    }
  } catch (error) {
    throw within(error, names[index] as string);
  }
  return target;
}

const encoder = new TextEncoder();

/** The JSON text before each field, and the text after the last one. `kind` precedes the first field. */
export function labelsOf(names: readonly string[], kind?: string): Uint8Array[] {
  const begin = kind === undefined ? "{" : `{"kind":${JSON.stringify(kind)}`;
  const labels = names.map(
    (name, index) => `${index > 0 || kind !== undefined ? "," : ""}${JSON.stringify(name)}:`,
  );
  labels.push("}");
  labels[0] = begin + labels[0];
  return labels.map((label) => encoder.encode(label));
}

/** Writes the JSON form of the fields as text, each after its label. */
export function transcribeFields(
  reader: Reader,
  text: JsonText,
  labels: readonly Uint8Array[],
  codecs: readonly Codec<unknown>[],
): void {
  for (let index = 0; index < codecs.length; index++) {
    text.bytes(labels[index] as Uint8Array);
    (codecs[index] as Codec<unknown>).transcribe(reader, text);
  }
  text.bytes(labels[codecs.length] as Uint8Array);
}

/** Reads the fields from their JSON form into `target`. */
export function parseFields(
  target: Values,
  json: Json,
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
  extra: number,
): Values {
  const object = json as { readonly [key: string]: Json };
  checkFields(object, names, extra);
  let index = 0;
  try {
    for (; index < names.length; index++) {
      const name = names[index] as string;
      const field = object[name];
      if (field === undefined)
        throw new WriteFailure((codecs[index] as Codec<unknown>).signature, "no such field");
      target[name] = (codecs[index] as Codec<unknown>).parse(field);
    }
  } catch (error) {
    throw within(error, names[index] as string);
  }
  return target;
}

function checkFields(value: unknown, names: readonly string[], extra: number): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
    throw new WriteFailure("an object", describe(value));
  }
  let present = 0;
  // Counting suffices for a valid value and avoids an array of its names.
  for (const _ in value) present++;
  if (present > names.length + extra) throw surplusField(value, names, extra);
}

function surplusField(value: object, names: readonly string[], extra: number): unknown {
  const surplus = Object.keys(value).find((name) => !names.includes(name) && !(extra > 0 && name === "kind"));
  return within(new WriteFailure("no such field", "one"), surplus ?? "kind");
}
