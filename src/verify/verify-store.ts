/** Checks a database by rules: one scan of each column family serves all rules about it. */

import type { BlobFiles } from "../blobs/browser.js";
import { type IdLike, toId } from "../bytes/id.js";
import { abortable } from "../engine/abortable.js";
import type { Engine, EngineReader } from "../engine/engine.js";
import type { LeftOut } from "../engine/left-out.js";
import { invalidArgument } from "../errors.js";
import { Findings, total } from "../findings/index.js";
import { checkOptions, type OptionChecks } from "../options.js";
import { Follower, type ProgressOptions, progressOptions } from "../progress.js";
import { findNewer, revisions, type Schema, selectionOptions } from "../schemas/index.js";
import type { RecordedRoot } from "../state/index.js";
import type { ColumnSummary, Step } from "./column-scan.js";
import { DamagedFiles } from "./damaged-files.js";
import type { Finding, RowPlace } from "./finding.js";
import { rulesLacking } from "./not-all-here.js";
import type { Rule } from "./rule.js";
import { RuleRun } from "./rule-run.js";
import { allRules } from "./rules/index.js";
import { notCheckedIn } from "./rules/not-checked.js";
import { columnReadable } from "./rules/structure.js";
import type { Scope } from "./scope.js";
import { checkShard, fits, hasChecks, type Shard, type ShardJob, type ShardResult } from "./shard.js";
import type { Summary, Verification } from "./verification.js";
import { withoutSecrets } from "./without-secrets.js";
import { type Work, workHere } from "./work.js";

/** A store with rows of any revision. */
export interface Verifiable {
  /** The engine with the rows. */
  readonly raw: Engine;
  /** The revision as which the rows are read. */
  readonly schema: Schema;
  /** The names of the column families. */
  readonly columns: readonly string[];
}

/** Options of `verifyStore`. */
export interface VerifyOptions extends ProgressOptions {
  /** The rules that run; all unless given. */
  readonly rules?: readonly Rule[] | undefined;
  /** Only the rows of this context, and the rules about such rows. */
  readonly context?: IdLike | undefined;
  /** Only the rows of this group or namespace, and the rules about such rows; not together with `context`. */
  readonly group?: IdLike | undefined;
  /** The files of blobs, for the rules that read them. */
  readonly blobs?: BlobFiles | undefined;
  /**
   * The workers that compute hashes and verify signatures; the calling thread unless given. `verifyStore` does not
   * close them.
   */
  readonly work?: Work | undefined;
  /** Root hashes of the node that a watcher recorded. The replay of the deltas must give them. */
  readonly record?: readonly RecordedRoot[] | undefined;
  /** Tells which rows an export leaves out. Rules that need them are not checked, and `skipped` has the reason. */
  readonly leftOut?: LeftOut | undefined;
}

/**
 * Checks a database as it is at the first step of the iteration. It changes nothing, and no finding contains a secret.
 *
 * @example
 * const verification = verifyStore(store);
 * for await (const { severity, rule, key, message } of verification) console.log(severity, rule, key, message);
 * const { errors, rules } = await verification.summary();
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for an option that does not exist or has a wrong type
 */
export function verifyStore(store: Verifiable, options: VerifyOptions = {}): Verification {
  checkOptions("verifyStore", options, OPTIONS);
  const scope = scopeOf(options);
  if (typeof store?.raw?.snapshot !== "function")
    throw invalidArgument("verifyStore takes a store, as openStore returns it");
  return new Findings(verify(store, options, scope));
}

/** The id is copied: the check begins later, and the caller may reuse the bytes before. */
function scopeOf({ context, group }: VerifyOptions): Scope | undefined {
  if (context !== undefined && group !== undefined)
    throw invalidArgument("verifyStore takes a context or a group, not both");
  if (context !== undefined) return { of: "context", id: toId(context) };
  return group === undefined ? undefined : { of: "group", id: toId(group) };
}

const OPTIONS: OptionChecks<VerifyOptions> = {
  rules: (value) =>
    Array.isArray(value) && value.every(isRule)
      ? undefined
      : "a list of rules, not of names: allRules has them",
  context: selectionOptions.contextId,
  group: selectionOptions.groupId,
  blobs: (value) =>
    hasMethods(value, ["read"]) ? undefined : "the files of blobs, as blobFolder returns them",
  work: (value) =>
    hasMethods(value, ["sha256", "verify"]) ? undefined : "work, as workerThreads returns it",
  record: (value) =>
    Array.isArray(value) ? undefined : "root hashes, as parseRecord of merostore/state returns them",
  leftOut: (value) =>
    typeof value === "function" ? undefined : "a function that tells why rows are left out",
  ...progressOptions,
};

function isRule(value: unknown): boolean {
  const { name, checks } = (value ?? {}) as Partial<Rule>;
  return typeof name === "string" && Array.isArray(checks);
}

/** Returns whether a value is an object with methods of these names, own or inherited. */
function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function");
}

async function* verify(
  store: Verifiable,
  options: VerifyOptions,
  scope: Scope | undefined,
): AsyncGenerator<Finding, Summary, undefined> {
  await using reader = await abortable(store.raw, options.signal).snapshot();
  return yield* withoutSecrets(findings(store, reader, options, scope), reader, store.schema);
}

/** The place of a finding about a file with rows of all column families. */
const NO_ROW: RowPlace = { COLUMN: "", KIND: null, bytes: null };

async function* findings(
  store: Verifiable,
  reader: EngineReader,
  { rules = allRules, blobs, work = workHere, record = [], leftOut, onProgress, signal }: VerifyOptions,
  scope: Scope | undefined,
): AsyncGenerator<Finding, Summary, undefined> {
  const { schema } = store;
  const runs = rules
    .filter((rule) => holdsFor(rule, schema) || isUnknownIn(rule, schema))
    .map((rule) => new RuleRun(rule));
  const skipped = new Map<Rule, string>();
  for (const { rule } of runs) {
    if (!holdsFor(rule, schema)) skipped.set(rule, `not checked in ${schema.name}: ${rule.laterUnknown}`);
    else if (rule.needsBlobs && blobs === undefined) skipped.set(rule, "it needs the files of the blobs");
    else if (scope !== undefined && !rule.checks.some((check) => fits(check, { schema, scope })))
      skipped.set(rule, `it is not about one ${scope.of}`);
  }
  const isUsed = (rule: Rule): boolean => !skipped.has(rule);
  const byRule = new Map(runs.map((run) => [run.rule, run]));
  const runOf = (rule: Rule): RuleRun => byRule.get(rule) as RuleRun;
  const newer =
    schema === revisions.at(-1) ? await findNewer(reader, revisions as readonly Schema[]) : undefined;
  const all = runs.map(({ rule }) => rule);
  const trial = { reader, schema, blobs, work, rules: all.filter(isUsed), scope, newer, record };
  const replays = [{ replay: "operations" }, { replay: "deltas" }] as const;
  const shards: readonly Shard[] = [...store.columns.map((column) => ({ column })), ...replays];
  const lacking = leftOut === undefined ? new Map() : await rulesLacking(trial, shards, leftOut);
  for (const [rule, reason] of lacking) skipped.set(rule, reason);
  // Damaged files are always reported, whatever the scope of the check.
  const used = all.filter((rule) => isUsed(rule) || rule === columnReadable);
  const job: ShardJob = { ...trial, rules: used };
  const columns: ColumnSummary[] = [];
  // Writes after damage in a log are missing, and no read fails because of that.
  const [reports = columnReadable] = used.includes(columnReadable) ? [] : used;
  for (const message of reader.lost ?? [])
    yield* byRule.get(reports)?.take({ key: NO_ROW, message, severity: "error" }) ?? [];
  const damaged = new DamagedFiles();
  const follower = new Follower({ onProgress, signal });
  for (const shard of shards) {
    if (!hasChecks(job, shard)) continue;
    const { summary, checked } = yield* taken(checkShard(job, shard), runOf, damaged, (rows) =>
      follower.add(rows),
    );
    if (summary !== undefined) columns.push(summary);
    for (const [rule, count] of checked) runOf(rule).checked += count;
  }
  for (const { rule, finding } of damaged.findings()) yield* runOf(rule).take(finding);
  for (const run of runs) yield* run.finish();
  follower.end();
  return { ...summaryOf(schema, runs, { skipped, lacking }, columns), newer };
}

/** The findings of a shard, step by step. */
async function* taken(
  steps: AsyncGenerator<Step, ShardResult, undefined>,
  runOf: (rule: Rule) => RuleRun,
  damaged: DamagedFiles,
  onRows: (count: number) => void,
): AsyncGenerator<Finding, ShardResult, undefined> {
  try {
    for (;;) {
      const next = await steps.next();
      if (next.done === true) return next.value;
      for (const one of next.value.findings) {
        if (one.isDamage) damaged.add(one);
        else yield* runOf(one.rule).take(one.finding);
      }
      if (next.value.rows > 0) onRows(next.value.rows);
    }
  } finally {
    await steps.return(undefined as never);
  }
}

function holdsFor({ checks }: Rule, schema: Schema): boolean {
  return checks.length === 0 || checks.some((check) => fits(check, { schema }));
}

/** Returns whether a rule has checks for earlier revisions only, although it holds in this one. */
function isUnknownIn({ checks, laterUnknown }: Rule, schema: Schema): boolean {
  if (laterUnknown === undefined) return false;
  const places = checks.flatMap((check) => (check.kind === undefined ? [] : check.revisions.map(placeOf)));
  return placeOf(schema) > Math.max(...places);
}

/** The place of a revision in the order of revisions; -1 for a mixture. */
function placeOf(schema: Schema): number {
  return (revisions as readonly Schema[]).indexOf(schema);
}

function summaryOf(
  schema: Schema,
  runs: readonly RuleRun[],
  { skipped, lacking }: Readonly<Record<"skipped" | "lacking", ReadonlyMap<Rule, string>>>,
  columns: readonly ColumnSummary[],
): Omit<Summary, "newer"> {
  const rules = runs.map((run) => {
    const reason = skipped.get(run.rule);
    return {
      ...run.summary(),
      ...(reason !== undefined && { skipped: reason }),
      ...(lacking.has(run.rule) && { lacking: true as const }),
    };
  });
  return {
    revision: schema.name,
    maybeNewer: runs.reduce((sum, run) => sum + run.maybeNewer, 0),
    rows: columns.reduce((total, { rows }) => total + rows, 0),
    ...total(rules),
    columns,
    rules,
    notChecked: notCheckedIn(
      schema.name,
      revisions.map(({ name }) => name),
    ),
  };
}
