/** Choices that the items of a list make for types that leave something open. */
import {
  type ChoiceType,
  isExact,
  type LooseType,
  lazyRecord,
  lazyVariant,
  type Type,
  typesIn,
} from "./type.js";

/** The choices that were made, by the open type. */
export type Choices = ReadonlyMap<Type, Type>;

/** A type that leaves something open itself. */
export type OpenType = ChoiceType | LooseType;

/** The types that open types may be. An open type that is not among them may be all of its own. */
export type Domains = ReadonlyMap<Type, readonly Type[]>;

/** Nothing is excluded. */
export const NO_DOMAINS: Domains = new Map();

/** Types that an item of a list may hold if readings of it are counted. Items of large applications hold a few hundred. */
const MOST_TYPES = 8192;

const open = new WeakMap<Type, OpenTypes | "too many">();

/** The open types in a type. */
interface OpenTypes {
  readonly types: readonly OpenType[];
  /** All types in it, open or not. */
  readonly among: number;
}

/** The open types in a type; `too many` if it holds more than 8,192 types. */
export function openTypesIn(type: Type): OpenTypes | "too many" {
  const known = open.get(type) ?? findOpen(type);
  open.set(type, known);
  return known;
}

function findOpen(type: Type): OpenTypes | "too many" {
  const types: OpenType[] = [];
  let among = 0;
  for (const one of typesIn(type)) {
    if (++among > MOST_TYPES) return "too many";
    if (one.kind === "choice" || one.kind === "loose") types.push(one);
  }
  return { types, among };
}

/** Returns a function that replaces each open type in a type by the type that `chosen` returns. */
export function chooser(chosen: (type: OpenType) => Type): (type: Type) => Type {
  const known = new Map<Type, Type>();
  const choose = (type: Type): Type => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const substituted = substitute(type);
    known.set(type, substituted);
    return substituted;
  };
  const substitute = (type: Type): Type => {
    if (isExact(type)) return type;
    switch (type.kind) {
      case "choice":
      case "loose":
        return choose(chosen(type));
      case "option":
      case "register":
        return { ...type, of: choose(type.of) };
      case "tuple":
        return { ...type, elements: type.elements.map(choose) };
      case "record":
        return lazyRecord(type.name, () =>
          type.fields.map((field) => ({ name: field.name, type: choose(field.type) })),
        );
      case "variant":
        return lazyVariant(type.name, () =>
          type.variants.map(({ name, payload }) => ({ name, payload: payload && choose(payload) })),
        );
      case "list":
        return { ...type, item: choose(type.item) };
      case "pairs":
        return { ...type, key: choose(type.key), value: choose(type.value) };
      default:
        return type;
    }
  };
  return choose;
}
