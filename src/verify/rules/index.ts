/** All rules, in the order of the relations that they check. */
import { MerostoreError } from "../../errors.js";
import type { Rule } from "../rule.js";
import { structureRules } from "./structure.js";

/** Every rule. */
export const allRules: readonly Rule[] = [...structureRules];

/** The rule of a name. @throws MerostoreError `UNKNOWN_NAME` */
export function ruleOf(name: string): Rule {
  const found = allRules.find((rule) => rule.name === name);
  if (found !== undefined) return found;
  throw new MerostoreError("UNKNOWN_NAME", `there is no rule "${name}"; "verify --list" shows them all`);
}
