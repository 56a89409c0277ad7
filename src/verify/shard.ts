/** The shards of a check, which are independent: one for each column family, and the replay. */

import type { NewerNode } from "../schemas/index.js";
import { type ColumnSummary, type Step, scanColumn } from "./column-scan.js";
import { scanReplay } from "./replay-scan.js";
import { type Check, isReplayCheck, type Rule, type ScanCheck } from "./rule.js";
import { columnReadable } from "./rules/structure.js";
import { canBeIn, type Scope } from "./scope.js";
import { CheckTools, isRowOf, type Surroundings } from "./tools.js";

/** The rows of a column family, or, without one, what a replay of the operations says. */
export interface Shard {
  readonly column: string | undefined;
}

/** The input that all shards share. */
export interface ShardJob extends Surroundings {
  /** The rules that run, those about other shards included. */
  readonly rules: readonly Rule[];
  readonly scope: Scope | undefined;
  /** The parts of the database that a newer node wrote. */
  readonly newer: NewerNode | undefined;
}

/** The result of a shard, beside its steps. */
export interface ShardResult {
  /** Undefined for the replay. */
  readonly summary: ColumnSummary | undefined;
  /** The number of things that each rule looked at. */
  readonly checked: ReadonlyMap<Rule, number>;
}

/** Returns whether any rule has something to look at in a shard. */
export function hasChecks({ rules, schema, scope }: ShardJob, { column }: Shard): boolean {
  if (column === undefined)
    return rules.some(({ checks }) =>
      checks.some((check) => isReplayCheck(check) && fits(check, { schema })),
    );
  if (scope !== undefined && !schema.rows.some((row) => row.column === column && canBeIn(row.key, scope)))
    return false;
  return rules.some(({ checks }) =>
    checks.some((check) => isAbout(check, column) && fits(check, { schema, scope })),
  );
}

/** Checks a shard, step by step. */
export async function* checkShard(job: ShardJob, shard: Shard): AsyncGenerator<Step, ShardResult, undefined> {
  const { reader, schema, rules, scope } = job;
  const { column } = shard;
  const checked = new Map<Rule, number>();
  const count = (rule: Rule, more: number): void => {
    checked.set(rule, (checked.get(rule) ?? 0) + more);
  };
  if (column === undefined) {
    const checks = rules.flatMap((rule) =>
      rule.checks
        .filter(isReplayCheck)
        .flatMap((one) => (fits(one, { schema }) ? [{ rule, check: one }] : [])),
    );
    yield* scanReplay(reader, schema, checks, scope, count);
    return { summary: undefined, checked };
  }
  const readable = rules.includes(columnReadable) ? columnReadable : undefined;
  if (readable !== undefined) count(readable, 1);
  const checks = rules.flatMap((rule) =>
    rule.checks
      .filter((one): one is ScanCheck => isAbout(one, column) && fits(one, { schema, scope }))
      .map((one) => {
        const revisions = one.kind === undefined ? [] : one.revisions;
        return { rule, check: one, tools: new CheckTools(job, revisions, (more) => count(rule, more)) };
      }),
  );
  const summary = yield* scanColumn({ reader, schema, column, checks, newer: job.newer, scope, readable });
  return { summary, checked };
}

function isAbout(check: Check, column: string): boolean {
  return !isReplayCheck(check) && (check.kind === undefined || check.kind.COLUMN === column);
}

/** Returns whether a check has anything to look at: its rows, in a layout that it knows, and in the scope. */
export function fits(
  check: Check,
  { schema, scope }: Pick<ShardJob, "schema"> & Partial<Pick<ShardJob, "scope">>,
): boolean {
  if (check.kind === undefined) return true;
  const row = schema.rows.find(({ key }) => key === check.kind);
  return row !== undefined && isRowOf(row, check.revisions) && canBeIn(check.kind, scope);
}
