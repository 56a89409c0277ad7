/** The comparison of two databases: runs in a separate worker, because it reads every row of both. */
import { type ContextDifference, diffDatabases, rowsOfStore, sentencesOf } from "merostore/diff";
import type { Names } from "merostore/node";
import { atMostEvery } from "../database/at-most-every.js";
import type { Database } from "../database/database.js";
import { compareNamed } from "../database/order.js";
import {
  type DifferencesOfKind,
  DifferingRows,
  kindsTotal,
  type RowTotals,
  rowsIn,
} from "./differing-rows.js";

/** The most contexts and groups that are sent to the page. */
const MOST = 1_000;
/** Milliseconds between two reports. */
const REPORT_EVERY = 250;

/** A thing on either node, with the name that a node has for it. */
export interface Thing {
  readonly id: string;
  readonly name: string | undefined;
}

/** A context of either database. */
export interface ComparedContext {
  readonly context: Thing;
  /** The hash of its state on each side, or `unknown`; undefined if the side does not have the context. */
  readonly stateA: string | undefined;
  readonly stateB: string | undefined;
  readonly hasSameHeads: boolean;
  /** The number of deltas that only one side has. */
  readonly deltasOnlyInA: number;
  readonly deltasOnlyInB: number;
  /**
   * The number of other deltas that only one side has. The other side applied later deltas without them, as after a
   * snapshot.
   */
  readonly olderOnlyInA: number;
  readonly olderOnlyInB: number;
  /** The differences, in sentences. */
  readonly words: readonly string[];
  /** The number of rows that differ, without expected differences. */
  readonly rows: RowTotals;
  /** Differences that are expected between correct nodes. */
  readonly expected: number;
}

/** A group or namespace with differences. */
export interface ComparedGroup {
  readonly group: Thing;
  /** The kinds of rows that differ, without differences that are expected. */
  readonly kinds: readonly (readonly [kind: string, rows: RowTotals])[];
  readonly expected: number;
}

/** Numbers of contexts, by the parts that agree. */
export interface ContextCounts {
  /** Contexts that both have. */
  readonly shared: number;
  /** Shared contexts with the same state. */
  readonly sameState: number;
  /** Shared contexts with the same state and the same heads. */
  readonly agreeing: number;
  readonly onlyInA: number;
  readonly onlyInB: number;
}

/** The state of a running comparison. */
export interface ComparisonReport {
  /** The number of rows that were read of both. */
  readonly read: number;
  readonly kinds: readonly DifferencesOfKind[];
}

/** The result of a comparison. */
export interface Compared extends ComparisonReport {
  /** The number of rows of each side. */
  readonly rowsOfA: number;
  readonly rowsOfB: number;
  /** The number of all rows that differ. */
  readonly rows: RowTotals;
  /** The number of expected ones. */
  readonly expected: number;
  readonly counts: ContextCounts;
  /** The first contexts. Contexts that differ come first. */
  readonly contexts: readonly ComparedContext[];
  /** The first groups that differ. */
  readonly groups: readonly ComparedGroup[];
  readonly groupCount: number;
}

/** Compares all rows, and reports differences as they are found. */
export async function compare(
  a: Database,
  b: Database,
  onReport: (report: ComparisonReport) => void,
): Promise<Compared> {
  const [namesA, namesB] = [await namesOf(a), await namesOf(b)];
  const thing = (id: string): Thing => ({ id, name: namesA?.of(id)?.name ?? namesB?.of(id)?.name });
  const found = new DifferingRows((id) => thing(id).name);
  let read = 0;
  const report = atMostEvery(REPORT_EVERY, () => onReport({ read, kinds: found.kinds() }));
  const { byContext, byGroup } = await diffDatabases(rowsOfStore(a.store), rowsOfStore(b.store), {
    onProgress: ({ done }) => {
      read = done;
      report();
    },
    onDifference: (row) => {
      found.add(row);
      report();
    },
  });
  const { summary } = byContext;
  const contexts = byContext.contexts.map((one) => compared(thing(one.contextId), one));
  const { onlyInA, onlyInB, different } = summary;
  return {
    read,
    kinds: found.kinds(),
    rowsOfA: summary.a,
    rowsOfB: summary.b,
    rows: { onlyInA, onlyInB, different },
    expected: summary.benign,
    counts: countsOf(contexts),
    contexts: contexts
      .sort(
        (one, other) =>
          rankOf(one) - rankOf(other) ||
          rowsIn(other.rows) - rowsIn(one.rows) ||
          compareNamed(one.context, other.context),
      )
      .slice(0, MOST),
    groups: byGroup.groups
      .map(({ groupId, kinds, benign }) => ({
        group: thing(groupId),
        kinds: Object.entries(kinds),
        expected: benign,
      }))
      .sort((one, other) => compareNamed(one.group, other.group))
      .slice(0, MOST),
    groupCount: byGroup.groups.length,
  };
}

/** The names of a database; undefined if they cannot be read. The comparison does not need them. */
function namesOf({ node }: Database): Promise<Names | undefined> {
  return node.names().catch(() => undefined);
}

function compared(context: Thing, difference: ContextDifference): ComparedContext {
  const { a, b, kinds, benign, older } = difference;
  const hashOf = (side: typeof a): string | undefined =>
    side === undefined ? undefined : (side.rootHash ?? "unknown");
  const heads = (side: typeof a): string => [...(side?.dagHeads ?? [])].sort().join();
  return {
    context,
    stateA: hashOf(a),
    stateB: hashOf(b),
    hasSameHeads: heads(a) === heads(b),
    deltasOnlyInA: kinds.ContextDagDelta?.onlyInA ?? 0,
    deltasOnlyInB: kinds.ContextDagDelta?.onlyInB ?? 0,
    olderOnlyInA: older.onlyInA,
    olderOnlyInB: older.onlyInB,
    words: wordsOf(difference),
    rows: kindsTotal(Object.values(kinds)),
    expected: benign,
  };
}

/** Expected differences have a column of their own. All rows of a context that only one side has are on that side. */
function wordsOf(difference: ContextDifference): readonly string[] {
  const all = sentencesOf({ ...difference, benign: 0 });
  return difference.a === undefined || difference.b === undefined ? all.slice(0, 1) : all;
}

/** Shared contexts that differ come first, then shared contexts that agree, then contexts of one side. */
function rankOf({ stateA, stateB, hasSameHeads, rows }: ComparedContext): number {
  if (stateA === undefined) return 4;
  if (stateB === undefined) return 3;
  if (stateA !== stateB || !hasSameHeads) return 0;
  return rowsIn(rows) > 0 ? 1 : 2;
}

function countsOf(contexts: readonly ComparedContext[]): ContextCounts {
  const number = (is: (context: ComparedContext) => boolean): number => contexts.filter(is).length;
  const isShared = ({ stateA, stateB }: ComparedContext): boolean =>
    stateA !== undefined && stateB !== undefined;
  const hasSameState = (one: ComparedContext): boolean => isShared(one) && one.stateA === one.stateB;
  return {
    shared: number(isShared),
    sameState: number(hasSameState),
    agreeing: number((one) => hasSameState(one) && one.hasSameHeads),
    onlyInA: number(({ stateA, stateB }) => stateA !== undefined && stateB === undefined),
    onlyInB: number(({ stateA, stateB }) => stateA === undefined && stateB !== undefined),
  };
}
