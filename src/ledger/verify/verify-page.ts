/** Checks a page's database. */
import type { EngineReader } from "../../engine/engine.js";
import { MerostoreError } from "../../errors.js";
import { checkOptions, describeValue, isFunction, type OptionChecks } from "../../options.js";
import { CheckedPage } from "./checked-page.js";
import type { Finding, Severity } from "./finding.js";
import type { PageRule } from "./rule.js";
import { commits, tips } from "./rules/commits.js";
import { edges } from "./rules/edges.js";
import { heads } from "./rules/heads.js";
import { merges } from "./rules/merges.js";
import { indexes, objects } from "./rules/objects.js";
import { rows } from "./rules/rows.js";
import { namedStatuses, statuses } from "./rules/statuses.js";
import { synced, unsynced } from "./rules/sync.js";
import { targets } from "./rules/targets.js";
import { treeNodes } from "./rules/tree-nodes.js";

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

/** How {@link verifyPage} checks a page. */
export interface VerifyPageOptions {
  /** Called with the number of rows that were read so far. Several rules may read the same row. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

const VERIFY_PAGE_OPTIONS: OptionChecks<VerifyPageOptions> = { onProgress: isFunction };

/** How many findings there were. */
export interface FindingCounts {
  /** Findings that are not in any correct database. */
  readonly errors: number;
  /** Findings that an unfinished sync or a crash may leave. */
  readonly warnings: number;
  /** Findings that are normal. */
  readonly infos: number;
}

/** The result of a verification. */
export interface PageSummary extends FindingCounts {
  /** For each rule the number of checked items and of findings. */
  readonly rules: readonly RuleCounts[];
}

/** What a rule has checked and found. */
export interface RuleCounts extends FindingCounts {
  /** The name of the rule. */
  readonly rule: string;
  /** The number of items that it looked at: rows, or what it is about in them. */
  readonly checked: number;
}

/** Iterates over findings while the rules run. Can be iterated once. */
export class PageVerification implements AsyncIterable<Finding> {
  readonly #findings: AsyncGenerator<Finding, PageSummary, undefined>;
  #summary: PageSummary | undefined;

  constructor(findings: AsyncGenerator<Finding, PageSummary, undefined>) {
    this.#findings = findings;
  }

  /** Runs the rules, and yields each finding when it is made. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Finding, void, undefined> {
    for (;;) {
      const { done, value } = await this.#findings.next();
      if (done === true) {
        this.#summary ??= value;
        return;
      }
      yield value;
    }
  }

  /** Runs the remaining rules, and returns the counts. */
  async summary(): Promise<PageSummary> {
    for await (const _ of this);
    return this.#summary as PageSummary;
  }
}

/**
 * Checks the rows of a page against each other: ids and digests against contents, heads, the graph of commits, trees,
 * edges, statuses. Memory does not grow with the rows, apart from eight bytes for each commit. Changes nothing. Findings
 * contain no values.
 *
 * @param database a page's database, or a snapshot of it. The rows must not change meanwhile
 * @example
 * import { openLevelEngine } from "merostore/engine/level";
 *
 * // Names and ids of pages are in base64: those of the root page of "contacts".
 * const page = "data/35/ledgers/Y29udGFjdHM=/AAAAAAAAAAAAAAAAAAAAAA==";
 * await using engine = await openLevelEngine(`${page}/leveldb`, { writable: true });
 * const verification = verifyPage(engine);
 * for await (const { severity, rule, key, message } of verification) console.log(severity, rule, key, message);
 * const { errors } = await verification.summary();
 */
export function verifyPage(database: EngineReader, options?: VerifyPageOptions): PageVerification {
  checkOptions("verifyPage", options, VERIFY_PAGE_OPTIONS);
  if (typeof database?.scan !== "function")
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      `verifyPage takes a page's database, opened as an engine, not ${describeValue(database)}`,
    );
  return new PageVerification(run(database, options ?? {}));
}

async function* run(
  database: EngineReader,
  { onProgress }: VerifyPageOptions,
): AsyncGenerator<Finding, PageSummary, undefined> {
  let read = 0;
  const page = new CheckedPage(database, (rows) => {
    read += rows;
    onProgress?.(read);
  });
  const rules: PageSummary["rules"][number][] = [];
  for (const rule of pageRules) {
    const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
    for await (const found of rule.check(page)) {
      counts[found.severity]++;
      yield { rule: rule.name, ...found };
    }
    const { error: errors, warning: warnings, info: infos } = counts;
    rules.push({ rule: rule.name, checked: page.takeCount(), errors, warnings, infos });
  }
  const sum = (of: keyof FindingCounts): number => rules.reduce((total, rule) => total + rule[of], 0);
  return { errors: sum("errors"), warnings: sum("warnings"), infos: sum("infos"), rules };
}
