/** Folded runs of a history, and the lines of a list with folds. */

import { describe, expect, it } from "vitest";
import type { HistoryGraph } from "../../../src/node/index.js";
import { FoldedRows } from "../src/parts/graph/folded-rows.js";
import { type Fold, foldsOf, followersOf } from "../src/worker/history/folds.js";

/** Rows in a line: each follows the next one, unless other parents are given. */
function lineOf(
  size: number,
  others: Partial<Record<number, readonly number[]>> = {},
  authors: readonly number[] = [],
): HistoryGraph {
  const lists = Array.from({ length: size }, (_, row) => others[row] ?? (row + 1 < size ? [row + 1] : []));
  const parentsFrom = new Uint32Array(size + 1);
  for (const [row, { length }] of lists.entries())
    parentsFrom[row + 1] = (parentsFrom[row] as number) + length;
  return {
    of: { kind: "context", id: "00", name: undefined },
    size,
    ids: new Uint8Array(32 * size),
    parentsFrom,
    parents: Uint32Array.from(lists.flat()),
    authors: Uint32Array.from({ length: size }, (_, row) => authors[row] ?? 0),
    people: [undefined, { kind: "member", id: "aa", name: "Ada" }],
    after: Float64Array.from({ length: size }, (_, row) => 1000 - row),
    before: Float64Array.from({ length: size }, (_, row) => 1000 - row),
    marks: new Uint8Array(size),
  };
}

function ranges(graph: HistoryGraph): readonly (readonly [number, number])[] {
  return foldsOf(graph, followersOf(graph)).map(({ start, end }) => [start, end]);
}

describe("folds", () => {
  it("hide all but the ends of a run of more than 20 rows", () => {
    expect(ranges(lineOf(20))).toEqual([]);
    expect(ranges(lineOf(21))).toEqual([[4, 17]]);
  });

  it("say whose the rows are, and when the first and the last were made", () => {
    const graph = lineOf(
      30,
      {},
      Array.from({ length: 30 }, () => 1),
    );
    expect(foldsOf(graph, followersOf(graph))).toEqual([
      { start: 4, end: 26, author: graph.people[1], after: 975, before: 996 },
    ]);
  });

  it("end where another author, a merge or a fork is", () => {
    expect(
      ranges(
        lineOf(
          42,
          {},
          Array.from({ length: 42 }, (_, row) => (row < 21 ? 0 : 1)),
        ),
      ),
    ).toEqual([
      [4, 17],
      [25, 38],
    ]);
    // Row 15 also follows row 30: it is a merge, and row 30 has two followers.
    expect(ranges(lineOf(40, { 15: [16, 30] }))).toEqual([]);
  });
});

describe("the lines of a list with folds", () => {
  const folds: readonly Fold[] = [
    { start: 2, end: 6, author: undefined, after: 0, before: 0 },
    { start: 8, end: 10, author: undefined, after: 0, before: 0 },
  ];

  it("are rows, and one line for each fold", () => {
    const rows = new FoldedRows(12, folds);
    expect(rows.length).toBe(8);
    expect(Array.from({ length: 8 }, (_, line) => rows.at(line)).map(({ row, end }) => [row, end])).toEqual([
      [0, 1],
      [1, 2],
      [2, 6],
      [6, 7],
      [7, 8],
      [8, 10],
      [10, 11],
      [11, 12],
    ]);
    expect(rows.at(2).fold).toBe(folds[0]);
    expect(rows.at(3).fold).toBeUndefined();
  });

  it("are found by any row that they stand for", () => {
    const rows = new FoldedRows(12, folds);
    expect(Array.from({ length: 12 }, (_, row) => rows.lineOf(row))).toEqual([
      0, 1, 2, 2, 2, 2, 3, 4, 5, 5, 6, 7,
    ]);
  });

  it("are the rows where nothing is folded", () => {
    const rows = new FoldedRows(3, []);
    expect([rows.length, rows.at(2).row, rows.lineOf(1)]).toEqual([3, 2, 1]);
  });
});
