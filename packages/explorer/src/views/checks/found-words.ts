/** The findings of a rule, counted beside its name. */
import type { RuleFindings } from "../../page/worker-client.js";
import { count, counted } from "../../parts/text.js";

/** A number. If the findings have several severities, the number of each in words. */
export function foundWords({ errors, warnings, infos }: RuleFindings["counts"]): string {
  const all = [
    [errors, "error"],
    [warnings, "warning"],
    [infos, "remark"],
  ] as const;
  const some = all.filter(([number]) => number > 0);
  return some.length > 1
    ? some.map(([number, what]) => counted(number, what)).join(", ")
    : count(errors + warnings + infos);
}
