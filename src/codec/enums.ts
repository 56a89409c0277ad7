/** Enums: a u8 tag, which is the position in the declaration, then the fields of the variant. */
import { invalidArgument } from "../errors.js";
import { Codec, type Decoded, type Shape, type Size, sumSizes } from "./codec.js";
import { checkCodecs, checkNames, checkTags } from "./declarations.js";
import { describe, WriteFailure, within } from "./errors.js";
import type { Json, JsonOptions } from "./json.js";
import type { JsonText } from "./json-text.js";
import type { Reader } from "./reader.js";
import {
  type Fields,
  fieldsToJson,
  formatFields,
  labelsOf,
  type Plain,
  parseFields,
  passFields,
  readFields,
  shapeFields,
  transcribeFields,
  writeFields,
} from "./struct.js";
import type { Writer } from "./writer.js";

class Names extends Codec<string> {
  readonly signature: string;
  readonly size: Size = { min: 1, max: 1 };
  readonly #names: readonly string[];

  constructor(type: string, names: readonly string[]) {
    super(type);
    checkTags(type, names, undefined);
    this.signature = type;
    this.#names = names;
  }

  override get shape(): Shape {
    return { is: "names", names: this.#names };
  }

  override get layout(): string {
    return this.#names.map((name, tag) => `${tag} ${name}`).join(" | ");
  }

  read(reader: Reader): string {
    const tag = reader.u8();
    const name = this.#names[tag];
    if (name === undefined) throw reader.failLater(`a tag from 0 to ${this.#names.length - 1}`, `tag ${tag}`);
    return name;
  }

  write(writer: Writer, value: string): void {
    writer.u8(this.#tag(value));
  }

  show(value: string): Json {
    return value;
  }

  parse(json: Json): string {
    return this.#names[this.#tag(json)] as string;
  }

  #tag(value: unknown): number {
    const tag = this.#names.indexOf(value as string);
    if (tag < 0) throw new WriteFailure(`one of ${this.#names.join(", ")}`, describe(value));
    return tag;
  }
}

/**
 * An enum whose variants have no fields: 1 byte. Its values are the names.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a repeated name, for no name, and for more than 256 names
 * @example
 * const Role = names("GroupMemberRole", ["Admin", "Member", "ReadOnly"]);
 * Role.encode("Member"); // 01
 */
export function names<const N extends readonly string[]>(type: string, list: N): Codec<N[number]> {
  return new Names(type, list) as unknown as Codec<N[number]>;
}

interface Variant {
  readonly tag: number;
  readonly kind: string;
  readonly names: readonly string[];
  readonly codecs: readonly Codec<unknown>[];
  /** Made when they are first needed. */
  labels?: readonly Uint8Array[];
}

type Value = Record<string, unknown>;

class Enum extends Codec<Value> {
  readonly signature: string;
  readonly size: Size;
  override readonly inner: readonly Codec<unknown>[];
  readonly #variants: readonly Variant[];
  readonly #byTag: ReadonlyMap<number, Variant>;
  readonly #byKind: ReadonlyMap<unknown, Variant>;

  constructor(type: string, variants: Readonly<Record<string, Fields>>, tags: readonly number[] | undefined) {
    super(type);
    checkNames(type, "variant", variants);
    checkTags(type, Object.keys(variants), tags);
    for (const [kind, fields] of Object.entries(variants)) {
      checkCodecs(`${type}.${kind}`, "field", fields);
      if (Object.hasOwn(fields, "kind"))
        throw invalidArgument(
          `${type}.${kind}: a field of a variant cannot be named "kind", which has its name`,
        );
    }
    this.signature = type;
    this.#variants = Object.entries(variants).map(([kind, fields], index) => ({
      tag: tags === undefined ? index : (tags[index] as number),
      kind,
      names: Object.keys(fields),
      codecs: Object.values(fields),
    }));
    this.#byTag = new Map(this.#variants.map((variant) => [variant.tag, variant]));
    this.#byKind = new Map(this.#variants.map((variant) => [variant.kind, variant]));
    this.inner = this.#variants.flatMap(({ codecs }) => codecs);
    const sizes = this.#variants.map(({ codecs }) => sumSizes(codecs.map((codec) => codec.size)));
    this.size = {
      min: 1 + Math.min(...sizes.map(({ min }) => min)),
      max: sizes.some(({ max }) => max === undefined)
        ? undefined
        : 1 + Math.max(...sizes.map(({ max }) => max ?? 0)),
    };
  }

  override get shape(): Shape {
    return {
      is: "enum",
      variants: this.#variants.map(({ kind, names, codecs }) => [kind, shapeFields(names, codecs)]),
    };
  }

  override get layout(): string {
    return this.#variants
      .map(
        ({ tag, kind, names, codecs }) =>
          `${tag} ${kind}${names.length === 0 ? "" : ` ${formatFields(names, codecs)}`}`,
      )
      .join(" | ");
  }

  read(reader: Reader): Value {
    const variant = this.#readTag(reader);
    reader.trace?.note("kind", "tag", reader.at - 1, reader.at, variant.kind);
    return readFields(reader, { kind: variant.kind }, variant.names, variant.codecs);
  }

  override pass(reader: Reader): void {
    const { names, codecs } = this.#readTag(reader);
    passFields(reader, names, codecs);
  }

  write(writer: Writer, value: Value): void {
    const variant = this.#find(value);
    writer.u8(variant.tag);
    writeFields(writer, value, variant.names, variant.codecs, 1);
  }

  show(value: Value, options?: JsonOptions): Json {
    const variant = this.#find(value);
    return fieldsToJson({ kind: variant.kind }, value, variant.names, variant.codecs, options);
  }

  override transcribe(reader: Reader, text: JsonText): void {
    const variant = this.#readTag(reader);
    variant.labels ??= labelsOf(variant.names, variant.kind);
    transcribeFields(reader, text, variant.labels, variant.codecs);
  }

  parse(json: Json): Value {
    const variant = this.#find(json);
    return parseFields({ kind: variant.kind }, json, variant.names, variant.codecs, 1);
  }

  #readTag(reader: Reader): Variant {
    const tag = reader.u8();
    const variant = this.#byTag.get(tag);
    if (variant === undefined) {
      const isLater = this.#variants.every((known) => known.tag < tag);
      throw isLater
        ? reader.failLater(`a tag of ${this.type}`, `tag ${tag}`)
        : reader.fail(`a tag of ${this.type}`, `tag ${tag}`);
    }
    return variant;
  }

  #find(value: unknown): Variant {
    if (typeof value !== "object" || value === null)
      throw new WriteFailure("an object with a kind", describe(value));
    const variant = this.#byKind.get((value as Value).kind);
    if (variant !== undefined) return variant;
    const known = [...this.#byKind.keys()].join(", ");
    throw within(new WriteFailure(`one of ${known}`, describe((value as Value).kind)), "kind");
  }
}

/** The values of an enum: a union discriminated by `kind`. */
export type EnumOf<V extends Readonly<Record<string, Fields>>> = VariantsOf<V>[keyof V];

/** The values of each variant by its name. */
export type VariantsOf<V extends Readonly<Record<string, Fields>>> = {
  [K in keyof V]: Plain<
    {
      /** The variant's name. */
      readonly kind: K;
    } & { readonly [N in keyof V[K]]: Decoded<V[K][N]> }
  >;
};

/**
 * An enum whose variants have fields. A variant without fields is `{}`; Rust's `Custom(String)`, one field without a
 * name, is `{ value: str }`. Tags are the positions in the declaration unless `tags` lists them.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a field `kind`, for a field or a variant named like an integer or
 *   `__proto__`, and for tags that are not distinct bytes
 * @example
 * const Status = enumOf("GroupUpgradeStatus", {
 *   InProgress: { total: u32, completed: u32, failed: u32 },
 *   Completed: { completedAt: option(u64) },
 * });
 * Status.encode({ kind: "Completed", completedAt: null }); // 01 00
 */
export function enumOf<const V extends Readonly<Record<string, Fields>>>(
  type: string,
  variants: V,
  tags?: readonly number[],
): Codec<VariantsOf<V>[keyof V]> {
  // Not `EnumOf`, whose name editors would show instead of the variants.
  return new Enum(type, variants, tags) as unknown as Codec<EnumOf<V>>;
}
