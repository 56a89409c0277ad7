/** Runs the rules about the replay of governance operations: one replay of the database for all rules. */
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { replayFacts } from "../node/replay/index.js";
import type { Schema } from "../schemas/index.js";
import { StoreReader } from "../store/browser.js";
import type { Step } from "./column-scan.js";
import type { ReplayCheck, Rule } from "./rule.js";
import { isAbout, type Scope } from "./scope.js";

/** A check of a replay of operations, with its rule. */
export interface ReplayCheckRun {
  readonly rule: Rule;
  readonly check: ReplayCheck;
}

/**
 * Replays the operations of a database, and yields the findings in the scope.
 *
 * @param checked gets the number of facts that a rule has checked
 */
export async function* scanReplay(
  reader: EngineReader,
  schema: Schema,
  checks: readonly ReplayCheckRun[],
  scope: Scope | undefined,
  checked: (rule: Rule, count: number) => void,
): AsyncGenerator<Step, void, undefined> {
  try {
    for await (const fact of replayFacts(new StoreReader(reader, schema))) {
      if (!isAbout(fact, scope)) continue;
      for (const { rule, check } of checks) {
        const finding = check.look(fact);
        checked(rule, typeof finding === "number" ? finding : 1);
        if (typeof finding !== "number") yield { findings: [{ rule, finding }], rows: 0 };
      }
    }
  } catch (error) {
    // The rule of damaged files reports it.
    if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
  }
}
