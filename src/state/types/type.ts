/**
 * Types of the application's data, as grammars of bytes. A manifest leaves some of them open: a `choice` is one of
 * several types, and a `loose` one may be an `Option`. A type without both is exact.
 */
import { once } from "../../node/tables/once.js";

/** A type of the application's data. */
export type Type =
  | ScalarType
  | BytesType
  | ListType
  | PairsType
  | OptionType
  | TupleType
  | RecordType
  | VariantType
  | RegisterType
  | CollectionType
  | ChoiceType
  | LooseType
  | RestType
  | UnknownType;

/** A whole number, by width. */
export type IntegerName = "u8" | "u16" | "u32" | "u64" | "u128" | "i8" | "i16" | "i32" | "i64" | "i128";

/** A type without parts. */
export type ScalarName = IntegerName | "bool" | "f32" | "f64" | "text" | "unit";

/** A value without parts. `unit` takes no bytes; `text` is a u32 length and UTF-8. */
export interface ScalarType {
  /** Tells the types apart. */
  readonly kind: ScalarName;
  /** True for usize and isize, which WebAssembly writes in 64 bits with values of 32. */
  readonly isSize?: true;
}

/** Bytes: raw if the size is fixed, otherwise after a u32 length. */
export interface BytesType {
  /** Tells the types apart. */
  readonly kind: "bytes";
  /** In bytes; undefined if it varies. */
  readonly size: number | undefined;
}

/** A u32 count, then the items. */
export interface ListType {
  /** Tells the types apart. */
  readonly kind: "list";
  /** The type of the items. */
  readonly item: Type;
}

/** A map that is part of the value: a u32 count, then keys with values. */
export interface PairsType {
  /** Tells the types apart. */
  readonly kind: "pairs";
  /** The type of the keys. */
  readonly key: Type;
  /** The type of the values. */
  readonly value: Type;
}

/** A byte 0, or a byte 1 and the value. */
export interface OptionType {
  /** Tells the types apart. */
  readonly kind: "option";
  /** The type of the value. */
  readonly of: Type;
}

/** The elements one after another. */
export interface TupleType {
  /** Tells the types apart. */
  readonly kind: "tuple";
  /** The types of the elements. */
  readonly elements: readonly Type[];
}

/** A field of a record. */
export interface FieldType {
  /** Its name. */
  readonly name: string;
  /** Its type. */
  readonly type: Type;
}

/** The fields one after another. */
export interface RecordType {
  /** Tells the types apart. */
  readonly kind: "record";
  /** The name of the Rust type; undefined if it has none. */
  readonly name: string | undefined;
  /** The fields, in the order of their bytes. May be computed when it is asked for: types can be recursive. */
  readonly fields: readonly FieldType[];
}

/** One byte, the place in the list, then the payload. */
export interface VariantType {
  /** Tells the types apart. */
  readonly kind: "variant";
  /** The name of the Rust type. */
  readonly name: string;
  /** The variants, by their tag. */
  readonly variants: readonly { readonly name: string; readonly payload: Type | undefined }[];
}

/** A register: the value, and the stamp of its last write. */
export interface RegisterType {
  /** Tells the types apart. */
  readonly kind: "register";
  /** The type of the value. */
  readonly of: Type;
  /**
   * Bytes of the stamp: 56 for the time (24 bytes) and the writer (32 bytes), 16 for the time alone, 0 if the times of
   * the entity stand for it.
   */
  readonly stamp: Stamp;
}

/** Bytes of the stamp of a register. */
export type Stamp = 56 | 16 | 0;

/** A collection: in the value is a handle, the rest in other entities. */
export type CollectionType = CollectionKind & {
  /** True if each entity's id in the handle is followed by the kind of its collection, 1 to 10 bytes. */
  readonly isTagged?: true;
  /** A part of the stored name, for a collection that only its name distinguishes from others. */
  readonly named?: string;
};

type CollectionKind =
  | {
      readonly kind: "map";
      readonly sorted: boolean;
      /** True if each entry has an owner. */
      readonly authored: boolean;
      /** Undefined if it is not known: keys are then found by their entries' ids. */
      readonly key: Type | undefined;
      readonly value: Type;
    }
  | { readonly kind: "set"; readonly sorted: boolean; readonly item: Type }
  | { readonly kind: "vector"; readonly authored: boolean; readonly item: Type }
  /** `signed` counters have a second handle, for the subtracted amounts. */
  | { readonly kind: "counter"; readonly signed: boolean }
  /** A text that several people edit: of characters, or of runs of characters. */
  | { readonly kind: "sequence"; readonly hasRuns: boolean }
  | { readonly kind: "user"; readonly value: Type }
  | { readonly kind: "frozen"; readonly value: Type }
  | { readonly kind: "shared"; readonly value: Type };

/** One of several types. Only the bytes decide which. */
export interface ChoiceType {
  /** Tells the types apart. */
  readonly kind: "choice";
  /** The types. One of them is right. */
  readonly of: readonly Type[];
}

/** A type that may be the value of an `Option`: manifests do not state every `Option`. */
export interface LooseType {
  /** Tells the types apart. */
  readonly kind: "loose";
  /** The type without `Option`. */
  readonly of: Type;
}

/** Bytes up to the end of the value, which nothing describes. */
export interface RestType {
  /** Tells the types apart. */
  readonly kind: "rest";
}

/** A type of the application that nothing describes. Nothing reads as it. */
export interface UnknownType {
  /** Tells the types apart. */
  readonly kind: "unknown";
  /** Its name in Rust. */
  readonly name: string;
}

/** A record; `compute` returns its fields when they are first asked for, because types can be recursive. */
export function lazyRecord(name: string | undefined, compute: () => readonly FieldType[]): RecordType {
  const fields = once(compute);
  return {
    kind: "record",
    name,
    get fields() {
      return fields();
    },
  };
}

/** An enum; `compute` returns its variants, by their tag, when they are first asked for. */
export function lazyVariant(name: string, compute: () => VariantType["variants"]): VariantType {
  const variants = once(compute);
  return {
    kind: "variant",
    name,
    get variants() {
      return variants();
    },
  };
}

const COLLECTIONS = ["map", "set", "vector", "counter", "sequence", "user", "frozen", "shared"];

/** Returns true if values of the type are a collection's handle. */
export function isCollection(type: Type): type is CollectionType {
  return COLLECTIONS.includes(type.kind);
}

/** The parts of a collection's handle: the id of an entity, an id that has no entity (32 bytes), or a flag (1 byte). */
export function handleParts(type: CollectionType): readonly ("entity" | "place" | "flag")[] {
  switch (type.kind) {
    case "shared":
      return ["entity", "flag"];
    case "user":
    case "frozen":
      return ["entity", "place"];
    case "map":
    case "vector":
      return type.authored ? ["entity", "place"] : ["entity"];
    case "counter":
      return type.signed ? ["entity", "entity"] : ["entity"];
    default:
      return ["entity"];
  }
}

/** The types that a value of the type holds in its own bytes, without the types of a collection's entries. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
      return [type.item];
    case "pairs":
      return [type.key, type.value];
    case "option":
    case "register":
    case "loose":
      return [type.of];
    case "tuple":
      return type.elements;
    case "choice":
      return type.of;
    case "record":
      return type.fields.map((field) => field.type);
    case "variant":
      return type.variants.flatMap(({ payload }) => (payload === undefined ? [] : [payload]));
    default:
      return [];
  }
}

/** The type, and the types that its values hold in their own bytes: each once. */
export function* typesIn(type: Type): Generator<Type, void> {
  const seen = new Set<Type>([type]);
  for (const next of seen) {
    yield next;
    for (const part of partsOf(next)) seen.add(part);
  }
}

/** A question about a type and the types in it, such as: is one of them open? */
export type Question = (type: Type) => boolean;

/**
 * Returns the question whether `test` holds for a type or for any of its parts, their parts and so on. It answers for
 * all of them at once, so that questions about the types of a manifest visit each type once.
 *
 * @param parts the types in a type; by default {@link partsOf}
 */
export function anyIn(test: Question, parts: (type: Type) => readonly Type[] = partsOf): Question {
  const known = new WeakMap<Type, boolean>();
  const learn = (type: Type): boolean => {
    /** The visited types, each with the types that hold it. */
    const above = new Map<Type, Type[]>([[type, []]]);
    const holding: Type[] = [];
    for (const [next] of above) {
      const answer = known.get(next) ?? (test(next) || undefined);
      if (answer === true) holding.push(next);
      if (answer !== undefined) continue;
      for (const part of parts(next)) {
        const ofPart = above.get(part);
        if (ofPart === undefined) above.set(part, [next]);
        else ofPart.push(next);
      }
    }
    const answers = new Set<Type>();
    for (let next = holding.pop(); next !== undefined; next = holding.pop()) {
      if (answers.has(next)) continue;
      answers.add(next);
      for (const holder of above.get(next) as Type[]) holding.push(holder);
    }
    for (const one of above.keys()) known.set(one, answers.has(one));
    return answers.has(type);
  };
  return (type) => known.get(type) ?? learn(type);
}

const isOpen = anyIn(({ kind }) => kind === "choice" || kind === "loose" || kind === "unknown");

/** Returns true if the type leaves nothing open: its bytes have one reading at most. */
export function isExact(type: Type): boolean {
  return !isOpen(type);
}

/** Returns true if values of the type may hold a collection. */
export const holdsCollections = anyIn(isCollection);
