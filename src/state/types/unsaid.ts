/** The type of values that neither a manifest nor a row describes. */
import { formed, PLAIN_FORMS, registerOf, TAGGED_FORMS, type ValueForms, valueOfMap } from "./forms.js";
import type { CollectionType, Type } from "./type.js";

const scalars = ["text", "bool", "u64", "u32", "i64", "i32", "u8", "f64"] as const;

function unsaid(forms: ValueForms): Type {
  const alternatives: Type[] = [];
  const value: Type = { kind: "choice", of: alternatives };
  const map: CollectionType = {
    kind: "map",
    sorted: false,
    authored: false,
    key: undefined,
    value: valueOfMap(value, forms),
  };
  alternatives.push(...scalars.map((kind) => registerOf({ kind }, forms)), formed(map, forms));
  return value;
}

/** The values that applications mostly keep: a register of a text, a flag or a number, or a map of these. */
export const UNSAID: Type = unsaid(PLAIN_FORMS);

const TAGGED = unsaid(TAGGED_FORMS);

/** The same in the forms of a layout. */
export function unsaidIn(forms: ValueForms): Type {
  return forms.hasTags ? TAGGED : UNSAID;
}
