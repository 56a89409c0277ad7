/** The rules about what governance operations lead to: one replay of the database, which feeds all of them. */
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { replayFacts } from "../node/replay/index.js";
import type { Schema } from "../schemas/index.js";
import { StoreReader } from "../store/browser.js";
import type { Finding } from "./finding.js";
import type { ReplayCheck } from "./rule.js";
import type { RuleRun } from "./rule-run.js";
import { isAbout, type Scope } from "./scope.js";

/** A check of a rule, with the rule. */
export interface ReplayRun {
  readonly run: RuleRun;
  readonly check: ReplayCheck;
}

/** Replays the operations of a database, and gives what the rules find about the scope. */
export async function* scanReplay(
  reader: EngineReader,
  schema: Schema,
  runs: readonly ReplayRun[],
  scope: Scope | undefined,
): AsyncGenerator<Finding, void, undefined> {
  if (runs.length === 0) return;
  try {
    for await (const fact of replayFacts(new StoreReader(reader, schema))) {
      if (!isAbout(fact, scope)) continue;
      for (const { run, check } of runs) {
        const broken = check.look(fact);
        run.checked += typeof broken === "number" ? broken : 1;
        if (typeof broken !== "number") for (const finding of run.take(broken)) yield finding;
      }
    }
  } catch (error) {
    // The rule of damaged files reports it.
    if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
  }
}
