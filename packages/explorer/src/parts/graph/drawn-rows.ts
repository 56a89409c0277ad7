/** The rows in sight that the canvas draws. */
import { RowMark } from "merostore/node";
import type { Fold } from "../../worker/history/folds.js";
import type { Lanes, Parentage } from "../../worker/history/lanes.js";
import type { DrawnRow } from "./draw.js";
import type { Listed } from "./folded-rows.js";
import type { LaneLines } from "./lane-lines.js";

/** Marks of rows. */
export const { HEAD, PENDING, CHECKPOINT } = RowMark;

/** A graph that is drawn. */
export interface DrawnGraph extends Parentage {
  /** The ids of the rows, 32 bytes each. */
  readonly ids: Uint8Array;
  readonly lanes: Lanes;
  /** The runs of rows that are one line until they are unfolded. */
  readonly folds: readonly Fold[];
}

/** The look of a row. */
export type RowLook = Pick<DrawnRow, "colour" | "isHead" | "isPending" | "side">;

/** The look of each row. */
export type LookOf = (row: number) => RowLook;

/** The rows of the lines in sight, and the lines that come from the row above them. */
export function drawnRows(
  graph: DrawnGraph,
  lookOf: LookOf,
  lines: LaneLines,
  listed: readonly Listed[],
  selected: number | undefined,
  above: Listed | undefined,
): { readonly rows: readonly DrawnRow[]; readonly above: DrawnRow["below"] } {
  return {
    rows: listed.map((one) => drawnRow(graph, lookOf, lines, one, selected)),
    above: above === undefined ? [] : linesBelow(lookOf, lines, above),
  };
}

function drawnRow(
  { lanes, parentsFrom }: DrawnGraph,
  lookOf: LookOf,
  lines: LaneLines,
  listed: Listed,
  selected: number | undefined,
): DrawnRow {
  const { row, fold } = listed;
  return {
    ...lookOf(row),
    lane: lanes.ofRow[row] as number,
    isMerge: (parentsFrom[row + 1] as number) - (parentsFrom[row] as number) > 1,
    isSelected: row === selected,
    isFold: fold !== undefined,
    stubs: fold === undefined ? lines.stubs(row) : 0,
    below: linesBelow(lookOf, lines, listed),
  };
}

function linesBelow(lookOf: LookOf, lines: LaneLines, { end, fold }: Listed): DrawnRow["below"] {
  return lines.below(end - 1).map((line) => ({
    ...line,
    colour: lookOf(line.child).colour,
    isDotted: fold !== undefined && line.child === end - 1,
  }));
}
