/** Choices that the items of a list make for types that leave something open. */
import { lazyRecord, lazyVariant } from "./lazy-types.js";
import { type ChoiceType, isExact, type LooseType, someType, type Type } from "./type.js";

/** The choices that were made, by the open type. */
export type Choices = ReadonlyMap<Type, Type>;

const open = new WeakMap<Type, readonly (ChoiceType | LooseType)[]>();

/** The open types in a type. */
export function openTypesIn(type: Type): readonly (ChoiceType | LooseType)[] {
  let known = open.get(type);
  if (known === undefined) {
    const found: (ChoiceType | LooseType)[] = [];
    someType(type, (one) => {
      if (one.kind === "choice" || one.kind === "loose") found.push(one);
      return false;
    });
    known = found;
    open.set(type, known);
  }
  return known;
}

/** Puts choices in the place of open types. What no item decided stays open: no item has it. */
export function chooser(choices: Choices): (type: Type) => Type {
  const known = new Map<Type, Type>();
  const choose = (type: Type): Type => {
    const before = known.get(type);
    if (before !== undefined) return before;
    const chosen = substitute(type);
    known.set(type, chosen);
    return chosen;
  };
  const substitute = (type: Type): Type => {
    if (isExact(type)) return type;
    switch (type.kind) {
      case "choice":
      case "loose": {
        const made = choices.get(type) ?? (type.kind === "choice" ? type.of[0] : type.of);
        return choose(made as Type);
      }
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
