/** Checks a page's database. */
import type { EngineReader } from "merostore/engine";
import {
  abortable,
  checkOptions,
  describeValue,
  FindingCounter,
  type FindingCounts,
  Findings,
  Follower,
  invalidArgument,
  type ProgressOptions,
  progressOptions,
  type RuleSummary,
  total,
} from "merostore/internal";
import { CheckedPage } from "./checked-page.js";
import type { Finding, PageRule } from "./finding.js";
import { commits, heads, merges, tips } from "./rules/commits.js";
import { edges } from "./rules/edges.js";
import { indexes, objects, treeNodes } from "./rules/objects.js";
import { rows } from "./rules/rows.js";
import { namedStatuses, statuses } from "./rules/statuses.js";
import { synced, unsynced } from "./rules/sync.js";
import { targets } from "./rules/targets.js";

/** All rules about a page, in the order in which they run. */
export const pageRules: readonly PageRule[] = [
  rows,
  heads,
  commits,
  tips,
  merges,
  objects,
  indexes,
  treeNodes,
  edges,
  targets,
  statuses,
  namedStatuses,
  unsynced,
  synced,
];

/** The result of a verification. */
export interface PageSummary extends FindingCounts {
  /** For each rule the number of checked items and of findings. */
  readonly rules: readonly RuleSummary[];
}

/** A verification of a page: its findings as they are made, and after the last of them its summary. */
export type PageVerification = Findings<Finding, PageSummary>;

/**
 * Checks the rows of a page against each other: ids and digests against contents, heads, the graph of commits, trees,
 * edges, statuses. Memory does not grow with the rows, apart from eight bytes for each commit. Changes nothing.
 * Findings contain no values. The progress counts rows; several rules may read the same row.
 *
 * @param database a page's database, or a snapshot of it. The rows must not change meanwhile
 * @example
 * import { openLevelEngine } from "merostore/engine";
 *
 * // Names and ids of pages are in base64: those of the root page of "contacts".
 * const page = "data/35/ledgers/Y29udGFjdHM=/AAAAAAAAAAAAAAAAAAAAAA==";
 * await using engine = await openLevelEngine(`${page}/leveldb`, { writable: true });
 * const verification = verifyPage(engine);
 * for await (const { severity, rule, key, message } of verification) console.log(severity, rule, key, message);
 * const { errors } = await verification.summary();
 */
export function verifyPage(database: EngineReader, options: ProgressOptions = {}): PageVerification {
  checkOptions("verifyPage", options, progressOptions);
  if (typeof database?.scan !== "function")
    throw invalidArgument(
      `verifyPage takes a page's database, opened as an engine, not ${describeValue(database)}`,
    );
  return new Findings(run(abortable(database, options.signal), new Follower(options)));
}

async function* run(
  database: EngineReader,
  follower: Follower,
): AsyncGenerator<Finding, PageSummary, undefined> {
  const page = new CheckedPage(database, (rows) => follower.add(rows));
  const rules: RuleSummary[] = [];
  for (const rule of pageRules) {
    const counter = new FindingCounter();
    for await (const found of rule.check(page)) {
      counter.add(found.severity);
      yield { rule: rule.name, ...found };
    }
    rules.push({ rule: rule.name, checked: page.takeCount(), ...counter.counts() });
  }
  follower.end();
  return { ...total(rules), rules };
}
