/** The types that a manifest and hints describe. */
import { MerostoreError } from "../../errors.js";
import type { Field, Manifest, TypeDefinition, TypeReference } from "../manifest/manifest.js";
import { compositesOf, moderated } from "./composite-types.js";
import { formed, PLAIN_FORMS, registerOf, type ValueForms, valueOfMap } from "./forms.js";
import { accessControl, typeOfRustName } from "./from-rust.js";
import { optionOf } from "./readings.js";
import { contradiction } from "./refine.js";
import {
  type CollectionType,
  type FieldType,
  lazyRecord,
  lazyVariant,
  type ScalarType,
  type Type,
} from "./type.js";

/**
 * The caller's knowledge of the application's types, by field: `{ "Small.b": "u16", "Small.e": "Vec<Option<u8>>" }`. The
 * values are Rust types. `Status.Pending` names the payload of a variant.
 */
export type Hints = Readonly<Record<string, string>>;

/** The types of an application, by name. */
export class TypeTable {
  readonly #definitions: ReadonlyMap<string, TypeDefinition>;
  readonly #hints: Hints;
  readonly #countsOptions: boolean;
  /** The forms of values in the layout of the state. */
  readonly forms: ValueForms;
  readonly #types = new Map<string, Type>();
  /** Aliases that are being followed. */
  readonly #following = new Set<string>();

  /**
   * @param countsOptions whether every value that may be an unannounced `Option` is read both ways
   * @param manifest undefined without a manifest: then only the types of Rust and of the storage library are known
   * @throws MerostoreError `INVALID_ARGUMENT` for a hint that names no field, or contradicts the manifest
   */
  constructor(manifest: Manifest | undefined, hints: Hints = {}, countsOptions = false, forms = PLAIN_FORMS) {
    this.forms = forms;
    this.#countsOptions = countsOptions;
    this.#definitions = manifest?.types ?? new Map();
    this.#hints = { ...hints };
    const members = membersOf(this.#definitions);
    for (const place of Object.keys(hints)) this.#check(place, members(place));
  }

  /** The type with a name; undefined if the manifest has no such type. */
  named(name: string): Type | undefined {
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const definition = this.#definitions.get(name);
    if (definition === undefined) return undefined;
    if (definition.kind === "alias") return this.#alias(name, definition.target);
    const type = this.#define(name, definition);
    this.#types.set(name, type);
    return type;
  }

  /** The type of a Rust name, with the application's own types. */
  rust(name: string): Type {
    return typeOfRustName(name, (own) => this.named(own), this.forms);
  }

  /** The type of a reference. */
  type(reference: TypeReference): Type {
    switch (reference.kind) {
      case "reference":
        return this.named(reference.name) ?? { kind: "unknown", name: reference.name };
      case "string":
        return { kind: "text" };
      case "u32":
        return oneOf(...UNSIGNED);
      case "i32":
        return oneOf(...SIGNED);
      case "bytes":
        return { kind: "bytes", size: reference.size };
      case "list":
        return this.#list(reference);
      case "map":
        return this.#map(reference);
      case "record":
        return this.#record(reference);
      case "tuple":
        return { kind: "tuple", elements: reference.elements.map((element) => this.#inner(element)) };
      default:
        return { kind: reference.kind };
    }
  }

  #alias(name: string, target: TypeReference): Type | undefined {
    if (this.#following.has(name)) return undefined;
    this.#following.add(name);
    try {
      const type = this.type(target);
      this.#types.set(name, type);
      return type;
    } finally {
      this.#following.delete(name);
    }
  }

  #define(name: string, definition: Exclude<TypeDefinition, { kind: "alias" }>): Type {
    switch (definition.kind) {
      case "bytes":
        return { kind: "bytes", size: definition.size };
      case "record":
        return lazyRecord(name, () => this.#fields(name, definition.fields));
      default:
        return lazyVariant(name, () =>
          definition.variants.map((one) => ({
            name: one.name,
            payload: one.payload && this.#hinted(`${name}.${one.name}`, this.#inner(one.payload)),
          })),
        );
    }
  }

  #fields(of: string | undefined, fields: readonly Field[]): readonly FieldType[] {
    return fields.map(({ name, type, nullable }) => {
      const plain = this.type(type);
      const hint = of === undefined ? plain : this.#hinted(`${of}.${name}`, plain);
      return { name, type: nullable && hint.kind !== "option" ? { kind: "option", of: hint } : hint };
    });
  }

  /** A place where an `Option` is not announced. */
  #inner(reference: TypeReference): Type {
    const of = this.type(reference);
    if (of.kind === "unit") return of;
    return this.#countsOptions ? { kind: "choice", of: [of, optionOf(of)] } : { kind: "loose", of };
  }

  #list(reference: TypeReference & { readonly kind: "list" }): Type {
    const item = this.#inner(reference.items);
    switch (reference.crdtType) {
      case undefined:
        return { kind: "list", item };
      case "unordered_set":
      case "sorted_set":
        return formed({ kind: "set", sorted: reference.crdtType === "sorted_set", item }, this.forms);
      case "vector":
      case "authored_vector":
        return formed(
          { kind: "vector", authored: reference.crdtType === "authored_vector", item },
          this.forms,
        );
      default:
        return unknownCrdt(reference.crdtType);
    }
  }

  #map(reference: TypeReference & { readonly kind: "map" }): Type {
    const { crdtType } = reference;
    const inner = this.#inner(reference.value);
    const value = valueOfMap(inner, this.forms);
    switch (crdtType) {
      case undefined:
        return {
          kind: "choice",
          of: [
            { kind: "pairs", key: { kind: "text" }, value: inner },
            formed({ kind: "user", value }, this.forms),
            formed({ kind: "frozen", value }, this.forms),
            ...(this.forms.hasTags ? compositesOf(inner, this.forms) : []),
          ],
        };
      case "unordered_map":
      case "sorted_map":
        return this.#keyed(crdtType === "sorted_map", false, value);
      case "authored_map":
      case "authored_sorted_map":
        return this.#authored(crdtType === "authored_sorted_map", value);
      case "shared_storage":
        return accessControl(this.forms);
      default:
        return unknownCrdt(crdtType);
    }
  }

  #keyed(sorted: boolean, authored: boolean, value: Type): CollectionType {
    return formed({ kind: "map", sorted, authored, key: undefined, value }, this.forms);
  }

  /** A map whose entries have owners. Since core-1.0, it may have moderators, and a manifest does not mention them. */
  #authored(sorted: boolean, value: Type): Type {
    const map = this.#keyed(sorted, true, value);
    return this.forms.hasTags ? { kind: "choice", of: [map, moderated(map, this.forms)] } : map;
  }

  #record(reference: TypeReference & { readonly kind: "record" }): Type {
    const { crdtType, innerType } = reference;
    const inner = (): Type => (innerType === undefined ? unknownCrdt(`${crdtType}`) : this.#inner(innerType));
    switch (crdtType) {
      case undefined:
        return lazyRecord(undefined, () => this.#fields(undefined, reference.fields));
      case "lww_register":
        return registerOf(inner(), this.forms);
      case "counter":
        return counter(this.forms);
      case "replicated_growable_array":
      case "fugue_text":
        return formed({ kind: "sequence", hasRuns: crdtType === "fugue_text" }, this.forms);
      case "shared_storage":
        return formed({ kind: "shared", value: inner() }, this.forms);
      default:
        return unknownCrdt(crdtType);
    }
  }

  #hinted(place: string, type: Type): Type {
    const hint = Object.hasOwn(this.#hints, place) ? this.#hints[place] : undefined;
    return hint === undefined ? type : this.rust(hint);
  }

  #check(place: string, reference: TypeReference | undefined): void {
    const refused = (why: string) => new MerostoreError("INVALID_ARGUMENT", `hint ${place}: ${why}`);
    if (reference === undefined) throw refused("the manifest has no such field");
    const type = this.rust(this.#hints[place] as string);
    if (type.kind === "unknown") throw refused(`"${type.name}" is not a type`);
    // A hint may state that the field is an `Option`.
    const wrong = contradiction({ kind: "loose", of: this.type(reference) }, type);
    if (wrong !== undefined) throw refused(wrong);
  }
}

/** Finds the fields of records and the payloads of variants by `Type.member`. */
function membersOf(
  definitions: ReadonlyMap<string, TypeDefinition>,
): (place: string) => TypeReference | undefined {
  const byType = new Map<string, ReadonlyMap<string, TypeReference | undefined>>();
  return (place) => {
    const dot = place.indexOf(".");
    const type = place.slice(0, dot);
    const members = byType.get(type) ?? new Map(memberTypes(definitions.get(type)));
    byType.set(type, members);
    return members.get(place.slice(dot + 1));
  };
}

function memberTypes(
  definition: TypeDefinition | undefined,
): (readonly [name: string, type: TypeReference | undefined])[] {
  if (definition?.kind === "record") return definition.fields.map(({ name, type }) => [name, type]);
  return definition?.kind === "variant"
    ? definition.variants.map(({ name, payload }) => [name, payload])
    : [];
}

function unknownCrdt(name: string): Type {
  return { kind: "unknown", name };
}

/** An open width. Each place has its own: all items of a list share a choice, two fields do not. */
const oneOf = (...of: readonly ScalarType[]): Type => ({ kind: "choice", of: of.map((one) => ({ ...one })) });

/** Manifests call all of them u32, and usize too. */
const UNSIGNED = [{ kind: "u32" }, { kind: "u8" }, { kind: "u16" }, { kind: "u64", isSize: true }] as const;
/** Manifests call all of them i32, and isize too. */
const SIGNED = [{ kind: "i32" }, { kind: "i8" }, { kind: "i16" }, { kind: "i64", isSize: true }] as const;

/** Manifests do not state whether a counter can go down. */
const counter = (forms: ValueForms): Type => ({
  kind: "choice",
  of: [formed({ kind: "counter", signed: false }, forms), formed({ kind: "counter", signed: true }, forms)],
});
