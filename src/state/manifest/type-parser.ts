/** The types of a manifest, read from its JSON. */
import { quoted } from "../../bytes/visible.js";
import type {
  BytesType,
  CrdtName,
  Field,
  ScalarName,
  TypeDefinition,
  TypeReference,
  Variant,
} from "./manifest.js";
import type { JsonPlace } from "./place.js";

/** The most steps into a type that is defined in place. Rust's own reader of JSON has the same limit. */
const DEEPEST = 128;
/** Types and parts of an interface that one manifest describes. A large application has a few thousand. */
const MOST_PARTS = 125_000;

const SCALARS: ReadonlySet<string> = new Set<ScalarName>([
  "bool",
  "i32",
  "i64",
  "u32",
  "u64",
  "f32",
  "f64",
  "string",
  "unit",
]);

/** The collections and registers that a type of a kind can be. */
const CRDTS = {
  list: new Set<CrdtName>(["vector", "unordered_set", "sorted_set", "authored_vector"]),
  map: new Set<CrdtName>([
    "unordered_map",
    "sorted_map",
    "authored_map",
    "authored_sorted_map",
    "shared_storage",
  ]),
  record: new Set<CrdtName>([
    "lww_register",
    "counter",
    "replicated_growable_array",
    "fugue_text",
    "shared_storage",
  ]),
} as const;

/** Reads types, and remembers the names that they refer to. */
export class TypeParser {
  /** The places that refer to names. */
  readonly references: { readonly name: string; readonly place: JsonPlace }[] = [];
  #parts = 0;

  /** The type that has a name. */
  definition(place: JsonPlace): TypeDefinition {
    this.count(place);
    const kind = place.member("kind");
    switch (kind.text()) {
      case "record":
        return { kind: "record", fields: this.fields(place.member("fields")) };
      case "variant":
        return {
          kind: "variant",
          variants: place
            .member("variants")
            .items()
            .map((one) => this.#variant(one)),
        };
      case "bytes":
        return bytesType(place);
      case "alias":
        return { kind: "alias", target: this.reference(place.member("target")) };
      default:
        throw unknownKind(kind);
    }
  }

  /** Parses the use of a type. */
  reference(place: JsonPlace): TypeReference {
    this.count(place);
    const name = place.optional("$ref");
    if (name !== undefined) {
      this.references.push({ name: name.text(), place: name });
      return { kind: "reference", name: name.text() };
    }
    const kind = place.member("kind");
    switch (kind.text()) {
      case "bytes":
        return bytesType(place);
      case "list":
        return {
          kind: "list",
          items: this.reference(place.member("items")),
          crdtType: crdtType(place, "list"),
        };
      case "map":
        return {
          kind: "map",
          key: this.reference(place.member("key")),
          value: this.reference(place.member("value")),
          crdtType: crdtType(place, "map"),
        };
      case "record":
        return this.#record(place);
      case "tuple":
        return {
          kind: "tuple",
          elements: place
            .member("elements")
            .items()
            .map((one) => this.reference(one)),
        };
      default:
        if (!SCALARS.has(kind.text())) throw unknownKind(kind);
        return { kind: kind.text() as ScalarName };
    }
  }

  /** The type of a member that may be absent. */
  optional(place: JsonPlace, name: string): TypeReference | undefined {
    const found = place.optional(name);
    return found && this.reference(found);
  }

  /** Fields of a record, or parameters of a method. */
  fields(place: JsonPlace): Field[] {
    return place.items().map((field) => ({
      name: field.member("name").text(),
      type: this.reference(field.member("type")),
      nullable: field.optional("nullable")?.flag() ?? false,
    }));
  }

  #record(place: JsonPlace): TypeReference {
    const crdt = crdtType(place, "record");
    const innerType = this.optional(place, "inner_type");
    if (innerType === undefined && (crdt === "lww_register" || crdt === "shared_storage"))
      throw place.wrong("ABI_INVALID", `"inner_type" is missing: a ${crdt} holds a value of that type`);
    const fields = crdt === undefined ? place.member("fields") : place.optional("fields");
    return {
      kind: "record",
      fields: fields === undefined ? [] : this.fields(fields),
      crdtType: crdt,
      innerType,
    };
  }

  #variant(place: JsonPlace): Variant {
    this.count(place);
    return {
      name: place.member("name").text(),
      code: place.optional("code")?.text(),
      payload: this.optional(place, "payload"),
    };
  }

  /** Counts a part of the interface: a type, a named type, a variant, a method, an error, an event. */
  count(place: JsonPlace): void {
    if (place.depth > DEEPEST) throw place.wrong("ABI_INVALID", `more than ${DEEPEST} steps deep`);
    this.#parts += 1;
    if (this.#parts > MOST_PARTS) throw place.wrong("ABI_INVALID", `more than ${MOST_PARTS} parts`);
  }
}

function bytesType(place: JsonPlace): BytesType {
  return {
    kind: "bytes",
    size: place.optional("size")?.u32(),
    encoding: place.optional("encoding")?.text(),
  };
}

function crdtType(place: JsonPlace, kind: keyof typeof CRDTS): CrdtName | undefined {
  const found = place.optional("crdt_type");
  if (found === undefined) return undefined;
  const name = found.text() as CrdtName;
  if (CRDTS[kind].has(name)) return name;
  const isKnown = Object.values(CRDTS).some((names) => names.has(name));
  throw found.wrong(
    "ABI_UNKNOWN_CRDT",
    isKnown
      ? `a ${kind} cannot be of the kind ${quoted(name)}`
      : `${quoted(name)} is not a known kind of collection`,
  );
}

function unknownKind(kind: JsonPlace): Error {
  return kind.wrong("ABI_UNKNOWN_KIND", `${quoted(kind.value)} is not a known kind of type`);
}
