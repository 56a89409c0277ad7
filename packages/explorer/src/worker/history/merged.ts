/** The histories of a context in two databases as one. */
import { type HistoryGraph, RowMark } from "merostore/node";
import type { Database } from "../database/database.js";
import { ownOf } from "../database/own.js";
import { type Fold, foldsOf, followersOf } from "./folds.js";
import { graphOf } from "./history.js";
import { assignLanes, type Lanes, type Parentage } from "./lanes.js";
import { type MergedGraph, mergeGraphs, Sides } from "./merge-graphs.js";
import { type HistoryRow, historyIfQuick, wordsOf } from "./rows.js";

/** Two histories as one. */
export interface MergedHistory extends Parentage {
  readonly ids: Uint8Array;
  /** The databases that have each row: 1 for A, 2 for B, 3 for both. */
  readonly sides: Uint8Array;
  /** The marks of each row in each database. */
  readonly marksA: Uint8Array;
  readonly marksB: Uint8Array;
  readonly lanes: Lanes;
  readonly folds: readonly Fold[];
  readonly onlyInA: number;
  readonly onlyInB: number;
  readonly pendingOnA: number;
  readonly pendingOnB: number;
  /** True if its rows were made on several days. */
  readonly hasDates: boolean;
}

/** The words of a row. */
export interface MergedRow extends HistoryRow {
  /** The node with the author as its own account; undefined for other authors. */
  readonly ownOf: "a" | "b" | undefined;
}

/** The graph of both histories. */
export async function mergedHistory(a: Database, b: Database, context: string): Promise<MergedHistory> {
  const merged = await mergedOf(a, b, context);
  const { size, ids, parentsFrom, parents, sides, rowsA, rowsB, before } = merged;
  const [graphA, graphB] = await graphsOf(a, b, context);
  const marksOf = (rows: Int32Array, { marks }: HistoryGraph): Uint8Array =>
    Uint8Array.from(rows, (row) => (row < 0 ? 0 : (marks[row] as number)));
  const [marksA, marksB] = [marksOf(rowsA, graphA), marksOf(rowsB, graphB)];
  // A folded run has rows of the same side, and its rows need no further distinction.
  const alike = { authors: sides, marks: marksA.map((mark, row) => mark | ((marksB[row] as number) << 4)) };
  const number = (list: Uint8Array, is: (value: number) => boolean): number => list.filter(is).length;
  const isPending = (mark: number): boolean => (mark & RowMark.PENDING) !== 0;
  return {
    ...{ size, ids, parentsFrom, parents, sides, marksA, marksB },
    lanes: assignLanes(merged),
    folds: foldsOf(
      { ...merged, ...alike, people: [], before, after: merged.after },
      followersOf({ size, parents }),
    ),
    onlyInA: number(sides, (side) => side === Sides.A),
    onlyInB: number(sides, (side) => side === Sides.B),
    pendingOnA: number(marksA, isPending),
    pendingOnB: number(marksB, isPending),
    hasDates: new Set(Array.from(before, dayOf).filter((day) => day > 0)).size > 1,
  };
}

/** The day of a time in milliseconds; 0 or less if it is unknown, as for a checkpoint. */
function dayOf(time: number): number {
  return Math.floor(time / 86_400_000);
}

/** The words of the rows [from, to), from A where A has the row. */
export async function mergedRows(
  a: Database,
  b: Database,
  context: string,
  from: number,
  to: number,
): Promise<readonly MergedRow[]> {
  const { size, rowsA, rowsB } = await mergedOf(a, b, context);
  const numbers = Array.from({ length: Math.max(0, Math.min(to, size) - from) }, (_, at) => from + at);
  const told = new Map<number, HistoryRow>();
  const [graphA, graphB] = await graphsOf(a, b, context);
  const tell = async (database: Database, graph: HistoryGraph, rows: Int32Array, wanted: number[]) => {
    if (wanted.length === 0) return;
    const changes = await historyIfQuick(database, "context", graph);
    const inGraph = wanted.map((row) => rows[row] as number);
    const words = await wordsOf(database, "context", graph, inGraph, changes);
    for (const [at, row] of wanted.entries()) told.set(row, words[at] as HistoryRow);
  };
  const isOfA = (row: number): boolean => (rowsA[row] as number) >= 0;
  await tell(a, graphA, rowsA, numbers.filter(isOfA));
  await tell(
    b,
    graphB,
    rowsB,
    numbers.filter((row) => !isOfA(row)),
  );
  const [ownA, ownB] = [await ownOf(a), await ownOf(b)];
  return numbers.map((row) => {
    const words = told.get(row) as HistoryRow;
    const side = ownA(words.author) ? "a" : ownB(words.author) ? "b" : undefined;
    return { ...words, ownOf: side };
  });
}

function graphsOf(a: Database, b: Database, context: string) {
  return Promise.all([graphOf(a, "context", context), graphOf(b, "context", context)]);
}

/** The merged history is cached until rows of A are written or another database is opened as B. */
function mergedOf(a: Database, b: Database, context: string): Promise<MergedGraph> {
  // Writes of rows drop the cached facts of B too, so both databases cache the merged graph.
  const kept = a.kept(`merged ${context}`, () => new WeakMap<object, Promise<MergedGraph>>());
  const version = b.kept("version", () => ({}));
  const before = kept.get(version);
  if (before !== undefined) return before;
  const merged = graphsOf(a, b, context).then(([graphA, graphB]) => mergeGraphs(graphA, graphB));
  kept.set(version, merged);
  return merged;
}
