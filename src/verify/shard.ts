/** The independent parts of a check: one for each column family, and one for each sort of replay. */

import type { EngineReader } from "../engine/engine.js";
import type { RecordedRoot } from "../state/index.js";
import { type ColumnSummary, type Step, scanColumn } from "./column-scan.js";
import { scanReplay } from "./replay-scan.js";
import { type Check, isReplayCheck, isScanCheck, isStateCheck, type Rule } from "./rule.js";
import { columnReadable } from "./rules/structure.js";
import { canBeIn, type Scope } from "./scope.js";
import { scanStates } from "./state-scan.js";
import { CheckTools, isRowOf, type Surroundings } from "./tools.js";

/** The rows of a column family, or a replay of the operations on groups or of the deltas of contexts. */
export type Shard = { readonly column: string } | { readonly replay: "operations" | "deltas" };

/** The input that all shards share. */
export interface ShardJob extends Surroundings {
  /** The rules that run, including rules about other shards. */
  readonly rules: readonly Rule[];
  readonly scope: Scope | undefined;
  /** Root hashes that a watcher recorded. */
  readonly record: readonly RecordedRoot[];
  /** Returns the reader for the lookups of rules; the job's reader unless given. */
  readonly readerFor?: ((rules: readonly Rule[]) => EngineReader) | undefined;
}

/** The result of a shard, returned after its steps. */
export interface ShardResult {
  /** Undefined for a replay. */
  readonly summary: ColumnSummary | undefined;
  /** The number of items that each rule checked. */
  readonly checked: ReadonlyMap<Rule, number>;
}

/** Returns whether any rule has something to look at in a shard. */
export function hasChecks({ rules, schema, scope }: ShardJob, shard: Shard): boolean {
  // Only the replay shows the group of an operation.
  const within = "replay" in shard && shard.replay === "operations" ? undefined : scope;
  if ("column" in shard && scope !== undefined) {
    const { column } = shard;
    if (!schema.rows.some((row) => row.column === column && canBeIn(row.key, scope))) return false;
  }
  return rules.some(({ checks }) =>
    checks.some((check) => isAbout(check, shard) && fits(check, { schema, scope: within })),
  );
}

/** Checks a shard, step by step. */
export async function* checkShard(job: ShardJob, shard: Shard): AsyncGenerator<Step, ShardResult, undefined> {
  const { reader, schema, rules, scope, readerFor = () => reader } = job;
  const checked = new Map<Rule, number>();
  const count = (rule: Rule, more: number): void => {
    checked.set(rule, (checked.get(rule) ?? 0) + more);
  };
  const runs = <C extends Check>(isOf: (check: Check) => check is C, within = scope) =>
    rules.flatMap((rule) =>
      rule.checks
        .filter(isOf)
        .filter((one) => isAbout(one, shard) && fits(one, { schema, scope: within }))
        .map((one) => {
          const revisions = one.kind === undefined ? [] : one.revisions;
          const its = { ...job, reader: readerFor([rule]) };
          return { rule, check: one, tools: new CheckTools(its, revisions, (more) => count(rule, more)) };
        }),
    );
  if ("replay" in shard) {
    const readerOf = (checks: readonly { readonly rule: Rule }[]) =>
      readerFor(checks.map(({ rule }) => rule));
    if (shard.replay === "deltas") {
      const checks = runs(isStateCheck);
      yield* scanStates({ ...job, reader: readerOf(checks) }, checks);
    } else {
      const checks = runs(isReplayCheck, undefined);
      yield* scanReplay(readerOf(checks), schema, checks, scope, count);
    }
    return { summary: undefined, checked };
  }
  const { column } = shard;
  const readable = rules.includes(columnReadable) ? columnReadable : undefined;
  if (readable !== undefined) count(readable, 1);
  const checks = runs(isScanCheck);
  const summary = yield* scanColumn({ reader, schema, column, checks, newer: job.newer, scope, readable });
  return { summary, checked };
}

function isAbout(check: Check, shard: Shard): boolean {
  if ("replay" in shard) return shard.replay === "deltas" ? isStateCheck(check) : isReplayCheck(check);
  return isScanCheck(check) && (check.kind === undefined || check.kind.COLUMN === shard.column);
}

/** Returns whether a check applies: the schema has its rows in a layout that it knows, and they can be in the scope. */
export function fits(
  check: Check,
  { schema, scope }: Pick<ShardJob, "schema"> & Partial<Pick<ShardJob, "scope">>,
): boolean {
  if (check.kind === undefined) return true;
  // A replay reads rows of several kinds, all of one revision.
  if (isStateCheck(check) && !check.revisions.includes(schema)) return false;
  const row = schema.rows.find(({ key }) => key === check.kind);
  return row !== undefined && isRowOf(row, check.revisions) && canBeIn(check.kind, scope);
}
