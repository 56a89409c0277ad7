/** All rules, in the order of the relations that they check. */
import { MerostoreError } from "../../errors.js";
import type { Rule } from "../rule.js";
import { applicationRules } from "./applications.js";
import { blobRules } from "./blobs.js";
import { contextRules } from "./contexts.js";
import { deltaHeads } from "./delta-heads.js";
import { deltaSignatureRules } from "./delta-signatures.js";
import { deltaRules } from "./deltas.js";
import { sameId } from "./ids.js";
import { stateRules } from "./state.js";
import { structureRules } from "./structure.js";

/** Every rule. */
export const allRules: readonly Rule[] = [
  ...structureRules,
  sameId,
  ...blobRules,
  ...applicationRules,
  ...contextRules,
  ...deltaRules,
  deltaHeads,
  ...deltaSignatureRules,
  ...stateRules,
];

/** The rule of a name. @throws MerostoreError `UNKNOWN_NAME` */
export function ruleOf(name: string): Rule {
  const found = allRules.find((rule) => rule.name === name);
  if (found !== undefined) return found;
  throw new MerostoreError("UNKNOWN_NAME", `there is no rule "${name}"; "verify --list" shows them all`);
}
