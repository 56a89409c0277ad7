/** The type of values that neither a manifest nor a row describes. */
import { PLAIN_FORMS, registerOf } from "./forms.js";
import type { Type } from "./type.js";

/** The values that applications mostly keep: a register of a text, a flag or a number, or a map of these. */
export const UNSAID: Type = {
  kind: "choice",
  get of() {
    return ALTERNATIVES;
  },
};

const scalars = ["text", "bool", "u64", "u32", "i64", "i32", "u8", "f64"] as const;

const ALTERNATIVES: readonly Type[] = [
  ...scalars.map((kind) => registerOf({ kind }, PLAIN_FORMS)),
  { kind: "map", sorted: false, authored: false, key: undefined, value: UNSAID },
];
