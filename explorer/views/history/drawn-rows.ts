/** What the canvas draws of the lines in sight. */
import type { DrawnRow } from "../../parts/graph/draw.js";
import type { LaneLines } from "../../parts/graph/lane-lines.js";
import type { HistoryShape } from "../../worker/history.js";
import type { Listed } from "./folded-rows.js";

/** Marks of rows: those of the library. */
export const [HEAD, PENDING, CHECKPOINT] = [1, 2, 4];

/** The rows of the lines in sight, and the lines that come from the row above them. */
export function drawnRows(
  shape: HistoryShape,
  lines: LaneLines,
  listed: readonly Listed[],
  selected: number | undefined,
  above: Listed | undefined,
): { readonly rows: readonly DrawnRow[]; readonly above: DrawnRow["below"] } {
  return {
    rows: listed.map((one) => drawnRow(shape, lines, one, selected)),
    above: above === undefined ? [] : linesBelow(shape, lines, above),
  };
}

function drawnRow(
  shape: HistoryShape,
  lines: LaneLines,
  listed: Listed,
  selected: number | undefined,
): DrawnRow {
  const { row, fold } = listed;
  const marks = shape.marks[row] as number;
  return {
    lane: shape.lanes.ofRow[row] as number,
    colour: colourOf(shape, row),
    isHead: (marks & HEAD) !== 0,
    isMerge: (shape.parentsFrom[row + 1] as number) - (shape.parentsFrom[row] as number) > 1,
    isPending: (marks & PENDING) !== 0,
    isSelected: row === selected,
    isFold: fold !== undefined,
    stubs: fold === undefined ? lines.stubs(row) : 0,
    below: linesBelow(shape, lines, listed),
  };
}

function linesBelow(shape: HistoryShape, lines: LaneLines, { end, fold }: Listed): DrawnRow["below"] {
  return lines.below(end - 1).map((line) => ({
    ...line,
    colour: colourOf(shape, line.child),
    isDotted: fold !== undefined && line.child === end - 1,
  }));
}

function colourOf({ colours }: HistoryShape, row: number): string {
  return `author-${colours[row] ?? 6}`;
}
