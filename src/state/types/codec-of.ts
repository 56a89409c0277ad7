/** The codec of a type. */
import {
  bool,
  bytes,
  type Codec,
  checked,
  f32,
  f64,
  fixedBytes,
  i8,
  i16,
  i32,
  i64,
  i128,
  identity,
  option,
  str,
  u8,
  u16,
  u32,
  u64,
  u128,
  unit,
} from "../../codec/index.js";
import { ListCodec, PairsCodec, RecordCodec, TupleCodec, VariantCodec } from "./composites.js";
import { HandleCodec, RegisterCodec, UnreadableCodec } from "./storage-codecs.js";
import { isCollection, type RecordType, type ScalarName, type Type } from "./type.js";
import { typeName } from "./type-name.js";

const SCALARS: Readonly<Record<ScalarName, Codec<unknown>>> = {
  u8,
  u16,
  u32,
  u64,
  u128,
  i8,
  i16,
  i32,
  i64,
  i128,
  f32,
  f64,
  bool,
  text: str,
  unit,
} as Readonly<Record<ScalarName, Codec<unknown>>>;

/** Sizes of WebAssembly. */
const SIZES: Readonly<Record<string, Codec<unknown>>> = {
  u64: checked(u64, "a size of 32 bits", (size) => size <= 0xffff_ffffn) as Codec<unknown>,
  i64: checked(i64, "a size of 32 bits", (size) => BigInt.asIntN(32, size) === size) as Codec<unknown>,
};

const codecs = new WeakMap<Type, Codec<unknown>>();

/**
 * The codec of an exact type. It reads, writes and shows values as `values.ts` describes them. A type that leaves
 * something open has a codec that reads nothing: hints settle it.
 */
export function codecOf(type: Type): Codec<unknown> {
  const known = codecs.get(type);
  if (known !== undefined) return known;
  const codec = make(type);
  codecs.set(type, codec);
  return codec;
}

function make(type: Type): Codec<unknown> {
  if (isCollection(type)) return new HandleCodec(type) as Codec<unknown>;
  switch (type.kind) {
    case "bytes":
      return (type.size === undefined ? bytes : fixedBytes(type.size)) as Codec<unknown>;
    case "list":
      return new ListCodec(typeName(type.item), () => codecOf(type.item)) as Codec<unknown>;
    case "pairs":
      return new PairsCodec(codecOf(type.key), () => codecOf(type.value)) as Codec<unknown>;
    case "option":
      return option(codecOf(type.of));
    case "tuple":
      return new TupleCodec(typeName(type), () => type.elements.map(codecOf)) as Codec<unknown>;
    case "record":
      return recordCodec(type);
    case "variant":
      return new VariantCodec(type.name, () =>
        type.variants.map(({ name, payload }) => ({ name, payload: payload && codecOf(payload) })),
      ) as Codec<unknown>;
    case "register":
      return new RegisterCodec(codecOf(type.of), type.stamp) as Codec<unknown>;
    case "rest":
      return identity as Codec<unknown>;
    case "choice":
    case "loose":
    case "unknown":
      return new UnreadableCodec(typeName(type)) as Codec<unknown>;
    default:
      return (type.isSize && SIZES[type.kind]) || SCALARS[type.kind];
  }
}

/** A record whose fields share a name is an array: manifests write tuple structs in this way. */
function recordCodec(type: RecordType): Codec<unknown> {
  const names = new Set(type.fields.map(({ name }) => name));
  if (names.size < type.fields.length)
    return new TupleCodec(typeName(type), () =>
      type.fields.map((field) => codecOf(field.type)),
    ) as Codec<unknown>;
  return new RecordCodec(type.name, () =>
    type.fields.map(({ name, type: of }) => [name, codecOf(of)] as const),
  ) as Codec<unknown>;
}
