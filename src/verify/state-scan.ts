/** Runs the rules about the replay of deltas: one replay of each context for all rules. */
import { copyBytes } from "../bytes/bytes.js";
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import { ContextMeta } from "../keys/index.js";
import type { Schema } from "../schemas/index.js";
import { type RecordedRoot, readReplay } from "../state/index.js";
import { rowsOfKind, StoreReader } from "../store/browser.js";
import type { Step } from "./column-scan.js";
import { notChecked } from "./replayed-context.js";
import type { Rule, StateCheck } from "./rule.js";
import { isIn, type Scope } from "./scope.js";
import type { CheckTools } from "./tools.js";

/** A check of a context's replay, with its rule and tools. */
export interface StateCheckRun {
  readonly rule: Rule;
  readonly check: StateCheck;
  readonly tools: CheckTools;
}

interface StateJob {
  readonly reader: EngineReader;
  readonly schema: Schema;
  readonly scope: Scope | undefined;
  readonly record: readonly RecordedRoot[];
}

/** Replays the deltas of each context in the scope, and yields the findings of the rules. */
export async function* scanStates(
  { reader: raw, schema, scope, record }: StateJob,
  checks: readonly StateCheckRun[],
): AsyncGenerator<Step, void, undefined> {
  const reader = new StoreReader(raw, schema);
  try {
    for await (const rows of rowsOfKind(raw, ContextMeta.range({}), {}))
      for (const row of rows) {
        if (!isIn(schema, ContextMeta.COLUMN, row, scope)) continue;
        const contextId = copyBytes(row.key);
        let done = 0;
        try {
          const replay = await readReplay(reader, contextId, { record });
          for (const { rule, check, tools } of checks) {
            for await (const finding of check.examine({ contextId, reader, replay, record }, tools))
              yield { findings: [{ rule, finding }], rows: 0 };
            done++;
          }
        } catch (error) {
          if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
          const finding = notChecked(contextId, "its rows cannot be read");
          yield { findings: checks.slice(done).map(({ rule }) => ({ rule, finding })), rows: 0 };
        }
      }
  } catch (error) {
    // The rule of damaged files reports it.
    if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
  }
}
