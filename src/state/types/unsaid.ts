/** The type of what rows say nothing of, where there is no manifest. */
import type { Type } from "./type.js";

/** What applications mostly keep: a register of a text, a flag or a number, or a map of such. */
export const UNSAID: Type = {
  kind: "choice",
  get of() {
    return ALTERNATIVES;
  },
};

const scalars = ["text", "bool", "u64", "u32", "i64", "i32", "u8", "f64"] as const;

const ALTERNATIVES: readonly Type[] = [
  ...scalars.map((kind): Type => ({ kind: "register", of: { kind } })),
  { kind: "map", sorted: false, authored: false, key: undefined, value: UNSAID },
];
