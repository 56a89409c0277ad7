/**
 * Classes of @dao-xyz/borsh for any type of ours that it can express, made from what our codec says of its layout. It
 * has no maps, and no payloads: for it they are bytes.
 */
import { type FieldType, field, fixedArray, option, variant, vec } from "@dao-xyz/borsh";
import type { Codec } from "../src/codec/index.js";

export type Model = new () => object;

/** The class of a struct or an enum; undefined where the other library cannot express it. */
export function modelOf(codec: Codec<unknown>): Model | undefined {
  if (codec.layout.startsWith("{")) return structModel(namesOf(codec.layout), codec.inner);
  return codec.type === undefined ? undefined : enumModel(codec);
}

function structModel(
  names: readonly string[],
  codecs: readonly Codec<unknown>[],
  tag?: number,
  base?: Model,
): Model | undefined {
  // Never a subclass of Object itself, for the library writes its schema on the base class; and never without a name.
  const Struct: Model = base === undefined ? class Struct {} : class Struct extends base {};
  for (const [index, name] of names.entries()) {
    const type = fieldOf(codecs[index] as Codec<unknown>);
    if (type === undefined) return undefined;
    field({ type })(Struct.prototype, name);
  }
  if (tag !== undefined) variant(tag)(Struct);
  return Struct;
}

function enumModel(codec: Codec<unknown>): Model | undefined {
  abstract class Enum {}
  let used = 0;
  for (const text of codec.layout.split(" | ")) {
    const variantText = /^(\d+) \w+(?: (\{.*\}))?$/.exec(text);
    if (variantText === null) return undefined;
    const [, tag, fields = "{}"] = variantText;
    const names = namesOf(fields);
    const made = structModel(names, codec.inner.slice(used, used + names.length), Number(tag), Enum as Model);
    used += names.length;
    if (made === undefined) return undefined;
  }
  return Enum as Model;
}

/** The field's type over there, from how ours is written. */
function fieldOf(codec: Codec<unknown>): FieldType | undefined {
  const { signature } = codec;
  const inner = codec.inner[0];
  if (/^(u\d+|bool)$/.test(signature)) return signature as FieldType;
  if (signature === "str") return "string";
  if (/^bytes(\(.*\))?$/.test(signature)) return Uint8Array as unknown as FieldType;
  const fixed = /^b(\d+)$/.exec(signature);
  if (fixed !== null) return fixedArray("u8", Number(fixed[1])) as FieldType;
  if (inner?.signature === signature) return fieldOf(inner);
  const wrapped = inner === undefined ? undefined : fieldOf(inner);
  if (signature.endsWith("?")) return wrapped && (option(wrapped) as FieldType);
  if (signature.startsWith("[")) return wrapped && (vec(wrapped) as FieldType);
  return modelOf(codec) as FieldType | undefined;
}

/** `{a u8, b [b32]}` → `a`, `b`. */
function namesOf(layout: string): readonly string[] {
  const text = layout.slice(1, -1);
  return text === "" ? [] : text.split(", ").map((part) => part.split(" ")[0] as string);
}
