/** One scan of a column family, which all rules about it share. */
import { append, slices } from "../collections/lists.js";
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import type { AnyKeyClass } from "../keys/index.js";
import { Pause } from "../pause.js";
import type { NewerNode, Schema } from "../schemas/index.js";
import { type Examined, examine, type RowCounts, type RowState } from "./examine.js";
import { Feed } from "./feed.js";
import type { RowFinding, RowPlace } from "./finding.js";
import type { GoodRow, Rule, ScanCheck } from "./rule.js";
import { isIn, rangeOf, type Scope } from "./scope.js";
import type { Tools } from "./tools.js";

/** The rows of a column family, counted by the state of each row. */
export interface ColumnSummary extends RowCounts {
  /** The name of the column family. */
  readonly column: string;
  /** True if the revision has the column family. */
  readonly known: boolean;
  /** The number of rows. */
  readonly rows: number;
}

/** A check of a rule, with the rule and the tools for it. */
export interface CheckRun {
  readonly rule: Rule;
  readonly check: ScanCheck;
  readonly tools: Tools;
}

/** A finding with its rule. */
export interface ScanFinding {
  readonly rule: Rule;
  readonly finding: RowFinding<RowPlace>;
  /** True if a damaged file ended the rule. The message is then the error's. */
  readonly isDamage?: true;
}

/** The result for some rows. */
export interface Step {
  readonly findings: readonly ScanFinding[];
  /** The number of rows checked since the previous step. */
  readonly rows: number;
}

/** The input of a scan, and the rule that reports damage. */
export interface ColumnScan {
  readonly reader: EngineReader;
  readonly schema: Schema;
  readonly column: string;
  readonly checks: readonly CheckRun[];
  /** The parts of the database that a newer node wrote. */
  readonly newer: NewerNode | undefined;
  /** The rows that are checked; all if undefined. */
  readonly scope: Scope | undefined;
  /** The rule of damaged files, if it is to run. */
  readonly readable: Rule | undefined;
}

/** A check that loops over its feed, while the scan goes on. */
interface Reader {
  readonly check: CheckRun;
  readonly feed: Feed<readonly unknown[]>;
  /** The findings since the last step. */
  readonly found: ScanFinding[];
  readonly done: Promise<void>;
}

/**
 * The number of rows decoded at a time. With many more, the values survive two collections of young garbage, and each
 * one copies them.
 */
const AT_ONCE = 128;

class Aborted extends Error {}

/** Scans a column family: yields the findings of the rules, and returns the counts of rows. */
export async function* scanColumn(scan: ColumnScan): AsyncGenerator<Step, ColumnSummary, undefined> {
  const { column, schema, checks, readable, scope } = scan;
  const counts: Record<RowState, number> = { canonical: 0, other: 0, undecodable: 0, unknown: 0 };
  const readers = checks.map(startReader);
  // In the order of the checks, whichever finished first: two runs give the findings in the same order.
  const found = (): ScanFinding[] => readers.flatMap((reader) => reader.found.splice(0));
  const damage: ScanFinding[] = [];
  const pause = new Pause();
  try {
    for await (const chunk of scan.reader.scan(column, rangeOf(schema, column, scope)).chunks()) {
      for (const slice of slices(chunk, AT_ONCE)) {
        if (pause.isLong) await pause.ifLong();
        const rows: Examined[] = [];
        for (const row of slice) {
          if (!isIn(schema, column, row, scope)) continue;
          const steps = examine(schema, column, row, scan.newer);
          const first = steps.next();
          rows.push(first.done === true ? first.value : await pause.between(steps));
        }
        for (const { state } of rows) counts[state]++;
        const kinds = goodRows(rows);
        await Promise.all(readers.map((reader) => giveTo(reader, rows, kinds)));
        const findings = found();
        if (findings.length > 0) yield { findings, rows: 0 };
      }
      yield { findings: [], rows: chunk.length };
    }
    await Promise.all(readers.map(({ feed }) => feed.end()));
    await Promise.all(readers.map(({ done }) => done));
  } catch (error) {
    if (readable === undefined || !isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    for (const rule of new Set([readable, ...checks.map(({ rule }) => rule)]))
      damage.push(damageOf(rule, column, error));
  } finally {
    for (const { feed } of readers) feed.abort(new Aborted());
    await Promise.allSettled(readers.map(({ done }) => done));
  }
  yield { findings: [...found(), ...damage], rows: 0 };
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { column, known: schema.columns.includes(column), rows, ...counts };
}

function startReader(check: CheckRun): Reader {
  const feed = new Feed<readonly unknown[]>();
  const found: ScanFinding[] = [];
  const done = read(check, feed, found);
  done.catch(() => undefined); // the end of the scan awaits it
  return { check, feed, found, done };
}

async function read(
  { rule, check, tools }: CheckRun,
  feed: Feed<readonly unknown[]>,
  found: ScanFinding[],
): Promise<void> {
  const batches = feed as AsyncIterable<never>;
  try {
    for await (const finding of check.run(batches, tools)) found.push({ rule, finding });
  } catch (error) {
    if (!isMerostoreError(error, "DATABASE_DAMAGED")) throw error;
    found.push(damageOf(rule, check.kind?.COLUMN ?? "", error));
  } finally {
    feed.close();
  }
}

type RowsByKind = ReadonlyMap<AnyKeyClass, readonly GoodRow<unknown, unknown>[]>;

async function giveTo(
  { check: { check }, feed, done }: Reader,
  rows: readonly Examined[],
  kinds: RowsByKind,
): Promise<void> {
  const batch = check.kind === undefined ? rows : kinds.get(check.kind);
  if (batch === undefined || batch.length === 0) return;
  await feed.give(batch);
  // A failed check ends the scan here. Promise.race would add a handler to `done` at each batch.
  if (feed.closed) await done;
}

/** The rows that decode, by kind. All checks of a kind get the same list, so that they can share what they compute. */
function goodRows(rows: readonly Examined[]): RowsByKind {
  const kinds = new Map<AnyKeyClass, Examined[]>();
  for (const examined of rows) {
    const { row, state } = examined;
    if (row === undefined || state === "undecodable") continue;
    append(kinds, row.key, examined);
  }
  return kinds;
}

function damageOf(rule: Rule, column: string, { message }: Error): ScanFinding {
  return { rule, finding: { key: { COLUMN: column, KIND: null, bytes: null }, message }, isDamage: true };
}
