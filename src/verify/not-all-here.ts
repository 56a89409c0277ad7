/** Finds the rules that need rows which an export leaves out. The export cannot be checked by these rules. */
import { type LeftOut, telling } from "../engine/left-out.js";
import type { Rule } from "./rule.js";
import { checkShard, fits, hasChecks, type Shard, type ShardJob } from "./shard.js";

/**
 * Returns the rules that need rows which are left out, each with the reason. A rule needs all rows of the kinds that it
 * checks, or a row that it looks up. The rules run here only to record their reads: their findings are dropped.
 */
export async function rulesLacking(
  job: ShardJob,
  shards: readonly Shard[],
  leftOut: LeftOut,
): Promise<ReadonlyMap<Rule, string>> {
  const found = new Map<Rule, string>();
  const tell = (rule: Rule, reason: string): void => {
    if (!found.has(rule)) found.set(rule, reason);
  };
  for (const rule of job.rules) {
    const kinds = rule.checks.flatMap((check) => (fits(check, job) ? [check.kind] : []));
    const reasons = kinds.map((kind) => kind && leftOut(kind.COLUMN, kind.range({})));
    const [first] = reasons;
    if (first !== undefined && reasons.every((reason) => reason !== undefined)) tell(rule, first);
  }
  const readerFor = (rules: readonly Rule[]) =>
    telling(job.reader, leftOut, (reason) => {
      for (const rule of rules) tell(rule, reason);
    });
  const trial = { ...job, rules: job.rules.filter((rule) => !found.has(rule)), readerFor };
  for (const shard of shards) if (hasChecks(trial, shard)) for await (const _ of checkShard(trial, shard));
  return found;
}
