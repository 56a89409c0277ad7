/** The layout of values as columns of DuckDB: derived from the shapes of their codecs. */
import type { Codec, ShapeFields } from "../codec/index.js";

/** Types of numbers, with their types in DuckDB. */
const NUMBERS = {
  u8: "UTINYINT",
  u16: "USMALLINT",
  u32: "UINTEGER",
  u64: "UBIGINT",
  i8: "TINYINT",
  i16: "SMALLINT",
  i32: "INTEGER",
  i64: "BIGINT",
  f32: "FLOAT",
  f64: "DOUBLE",
} as const;

/** A number of at most 64 bits. */
export type NumberType = keyof typeof NUMBERS;

/**
 * One text, number or truth value. `hex` is bytes, `decimal` a number beyond 64 bits, `json` the JSON form of a value.
 */
export type Scalar = "bool" | NumberType | "text" | "hex" | "decimal";

/** Returns whether a column has numbers of at most 64 bits. */
export function isNumber(is: Layout["is"]): is is NumberType {
  return Object.hasOwn(NUMBERS, is);
}

/** The layout of a value as a column. Every column may be null. */
export type Layout =
  | { readonly is: Scalar }
  /** A value whose codec declares no shape: its JSON form as text. */
  | { readonly is: "json"; readonly codec: Codec<unknown> }
  | { readonly is: "list"; readonly of: Layout }
  | { readonly is: "map"; readonly key: Layout; readonly value: Layout }
  | { readonly is: "struct"; readonly fields: readonly FieldLayout[] }
  /** A struct of `kind` and one struct for each variant with fields. The structs of other variants are null. */
  | { readonly is: "enum"; readonly variants: readonly VariantLayout[] }
  /** Null unless secrets are shown. */
  | { readonly is: "secret"; readonly of: Layout };

/** A field of a struct. */
export interface FieldLayout {
  /** The name of the column. */
  readonly name: string;
  /** The property with its value. */
  readonly property: string;
  /** The part of a payload that it holds: the decoded value, or the bytes of one that does not decode. */
  readonly part?: "decoded" | "raw";
  /** The values with the field, by `kind`; undefined stands for a value without one. All values by default. */
  readonly kinds?: readonly (string | undefined)[] | undefined;
  readonly layout: Layout;
}

/** The fields of a variant. */
export interface VariantLayout {
  readonly kind: string;
  readonly fields: readonly FieldLayout[];
}

/** Names of the first elements of a tuple. */
const ORDINALS = ["first", "second", "third", "fourth"];

/** Returns the layout of the values of a codec. */
export function layoutOf(codec: Codec<unknown>): Layout {
  const { shape } = codec;
  switch (shape.is) {
    case "bool":
    case "unit":
      return { is: "bool" };
    case "text":
    case "names":
      return { is: "text" };
    case "bytes":
      return { is: "hex" };
    case "integer":
      return { is: shape.bits === 128 ? "decimal" : `${shape.signed ? "i" : "u"}${shape.bits}` };
    case "float":
      return { is: `f${shape.bits}` };
    case "option":
      return layoutOf(shape.of);
    case "list":
      return { is: "list", of: layoutOf(shape.of) };
    case "tuple": {
      const named = (index: number): string => ORDINALS[index] ?? `element${index + 1}`;
      const fields = shape.of.map((of, index) => ({
        name: named(index),
        property: `${index}`,
        layout: layoutOf(of),
      }));
      return { is: "struct", fields };
    }
    case "map":
      return { is: "map", key: { is: "text" }, value: layoutOf(shape.value) };
    case "struct":
      return { is: "struct", fields: fieldLayouts(shape.fields) };
    case "enum":
      if (shape.untagged) return { is: "struct", fields: fieldsOfLayouts(shape.variants) };
      return {
        is: "enum",
        variants: shape.variants.map(([kind, fields]) => ({ kind, fields: fieldLayouts(fields) })),
      };
    case "payload":
      return { is: "json", codec };
    case "secret":
      return { is: "secret", of: layoutOf(shape.of) };
    case "self":
    case "other":
      return { is: "json", codec };
  }
}

/**
 * Returns the name of the layout, and the fields of all layouts. A field that fits no earlier one of its name gets the
 * name of its layout as well: `actions_legacy_24`.
 */
function fieldsOfLayouts(layouts: readonly (readonly [kind: string, fields: ShapeFields])[]): FieldLayout[] {
  const all: FieldLayout[] = [{ name: "kind", property: "kind", layout: { is: "text" } }];
  for (const [kind, fields] of layouts)
    for (const field of fieldLayouts(fields)) {
      const { property, part, layout } = field;
      const known = all.filter((one) => one.property === property && one.part === part);
      const same = known.find((one) => mergedLayout(one.layout, layout) !== undefined);
      if (same === undefined) {
        const name = known.length === 0 ? field.name : `${field.name}_${kind.replaceAll(/\W/g, "_")}`;
        all.push({ ...field, name, kinds: [kind] });
      } else
        all[all.indexOf(same)] = {
          ...same,
          layout: mergedLayout(same.layout, layout) as Layout,
          kinds: [...(same.kinds ?? []), kind],
        };
    }
  return all;
}

/** Returns the layouts of fields. A payload has two: its value, and its bytes if they do not decode. */
export function fieldLayouts(fields: ShapeFields): FieldLayout[] {
  return fields.flatMap(([name, codec]): FieldLayout[] => {
    const inside = payloadOf(codec);
    if (inside === undefined) return [{ name, property: name, layout: layoutOf(codec) }];
    return [
      { name, property: name, part: "decoded", layout: layoutOf(inside) },
      { name: `${name}Raw`, property: name, part: "raw", layout: { is: "hex" } },
    ];
  });
}

/** Returns the codec of a payload's content; undefined for any other codec. */
export function payloadOf({ shape }: Codec<unknown>): Codec<unknown> | undefined {
  if (shape.is === "option") return payloadOf(shape.of);
  return shape.is === "payload" ? shape.of : undefined;
}

/** Returns a layout that fits the values of both, or undefined. */
export function mergedLayout(a: Layout, b: Layout): Layout | undefined {
  if (a.is === "secret" || b.is === "secret") {
    const of = mergedLayout(a.is === "secret" ? a.of : a, b.is === "secret" ? b.of : b);
    return of && { is: "secret", of };
  }
  if (a.is === "list" && b.is === "list") {
    const of = mergedLayout(a.of, b.of);
    return of && { is: "list", of };
  }
  if (a.is === "map" && b.is === "map") {
    const value = mergedLayout(a.value, b.value);
    return value && { ...a, value };
  }
  if (a.is === "struct" && b.is === "struct") {
    const fields = mergedFields(a.fields, b.fields);
    return fields && { is: "struct", fields };
  }
  if (a.is === "enum" && b.is === "enum") {
    const merged: VariantLayout[] = [];
    for (const kind of new Set([...a.variants, ...b.variants].map((variant) => variant.kind))) {
      const [of, other] = [a, b].map(
        ({ variants }) => variants.find((variant) => variant.kind === kind)?.fields,
      );
      const fields = mergedFields(of ?? [], other ?? []);
      if (fields === undefined) return undefined;
      merged.push({ kind, fields });
    }
    return { is: "enum", variants: merged };
  }
  if (isWhole(a) && isWhole(b) && (a.is === "decimal" || b.is === "decimal")) return { is: "decimal" };
  if (a.is === "json" && b.is === "json") return a.codec === b.codec ? a : undefined;
  return a.is === b.is ? a : undefined;
}

/** Returns whether a column has whole numbers. */
function isWhole({ is }: Layout): boolean {
  return is === "decimal" || (isNumber(is) && !is.startsWith("f"));
}

function mergedFields(a: readonly FieldLayout[], b: readonly FieldLayout[]): FieldLayout[] | undefined {
  const merged = [...a];
  for (const field of b) {
    const at = merged.findIndex(({ name }) => name === field.name);
    const known = merged[at];
    if (known === undefined) merged.push(field);
    else {
      const layout = known.part === field.part ? mergedLayout(known.layout, field.layout) : undefined;
      if (layout === undefined) return undefined;
      merged[at] = { ...known, layout, kinds: kindsOfBoth(known, field) };
    }
  }
  return merged;
}

/** The values of two layouts with a field. Values of a layout without kinds have no kind. */
function kindsOfBoth({ kinds: a }: FieldLayout, { kinds: b }: FieldLayout): FieldLayout["kinds"] {
  return a === undefined && b === undefined ? undefined : [...(a ?? [undefined]), ...(b ?? [undefined])];
}

const SCALARS: Readonly<Record<Scalar | "json", string>> = {
  bool: "BOOLEAN",
  ...NUMBERS,
  text: "VARCHAR",
  hex: "VARCHAR",
  // DuckDB writes its own 128-bit type to Parquet as a floating-point number.
  decimal: "VARCHAR",
  json: "VARCHAR",
};

/** Returns the type of a column in SQL. */
export function typeText(layout: Layout): string {
  switch (layout.is) {
    case "list":
      return `${typeText(layout.of)}[]`;
    case "map":
      return `MAP(${typeText(layout.key)}, ${typeText(layout.value)})`;
    case "struct":
      return structText(layout.fields);
    case "enum":
      return `STRUCT(${["kind VARCHAR", ...withFields(layout.variants).map(({ kind, fields }) => `${quotedName(kind)} ${structText(fields)}`)].join(", ")})`;
    case "secret":
      return typeText(layout.of);
    default:
      return SCALARS[layout.is];
  }
}

/** The variants that have fields: the others have no column but `kind`. */
export function withFields(variants: readonly VariantLayout[]): readonly VariantLayout[] {
  return variants.filter(({ fields }) => fields.length > 0);
}

function structText(fields: readonly FieldLayout[]): string {
  return `STRUCT(${fields.map(({ name, layout }) => `${quotedName(name)} ${typeText(layout)}`).join(", ")})`;
}

/** Quotes a name for SQL. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text for SQL. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
