/** Draws the rows in sight of a graph. The design gives the numbers. */
import type { Line } from "./lane-lines.js";

/** Pixels from the left to the first lane. */
const FIRST = 20;
/** Pixels between lanes, on wide and on narrow pages. */
export const [PITCH, NARROW_PITCH] = [16, 12];
/** Pixels that the column has at the right of its last lane. */
const MARGIN = 14;

/** The drawn parts of a row. */
export interface DrawnRow {
  readonly lane: number;
  /** The class of colour of its author. */
  readonly colour: string;
  readonly isHead: boolean;
  readonly isMerge: boolean;
  readonly isPending: boolean;
  readonly isSelected: boolean;
  /** A row that stands for several: a dotted line runs through it. */
  readonly isFold: boolean;
  /** The number of its parents that the database lacks. */
  readonly stubs: number;
  /** In a comparison, the side if only one has the row. */
  readonly side?: "a" | "b" | undefined;
  /** Lines to the row below. */
  readonly below: readonly (Line & { readonly colour: string; readonly isDotted: boolean })[];
}

/** The measures and colours of the drawing. */
export interface GraphLook {
  /** Pixels of a row. */
  readonly row: number;
  readonly pitch: number;
  /** Colours by name: of authors, and `surface`, `accent`, `warning`. */
  readonly colour: (name: string) => string;
}

/** Pixels of the column of a graph. */
export function graphWidth(lanes: number, pitch: number): number {
  return FIRST + MARGIN + pitch * Math.max(0, lanes - 1);
}

/** Draws rows, the first at the top. `above` has the lines from the row above the first one. */
export function drawRows(
  context: CanvasRenderingContext2D,
  rows: readonly DrawnRow[],
  above: DrawnRow["below"],
  { row: height, pitch, colour }: GraphLook,
): void {
  const x = (lane: number): number => FIRST + lane * pitch;
  const y = (at: number): number => (at + 0.5) * height;
  const lines = (from: number, list: DrawnRow["below"]): void => {
    for (const line of list) {
      context.strokeStyle = colour(line.colour);
      context.lineWidth = 2;
      context.setLineDash(line.isDotted ? [2, 4] : []);
      context.beginPath();
      const [xa, ya, xb, yb] = [x(line.from), y(from), x(line.to), y(from + 1)];
      context.moveTo(xa, ya);
      if (xa === xb) context.lineTo(xb, yb);
      else context.bezierCurveTo(xa, ya + 0.55 * height, xb, yb - 0.55 * height, xb, yb);
      context.stroke();
    }
    context.setLineDash([]);
  };
  lines(-1, above);
  for (const [at, row] of rows.entries()) lines(at, row.below);
  for (const [at, row] of rows.entries()) drawStubs(context, row, x(row.lane), y(at), height, colour);
  for (const [at, row] of rows.entries()) if (!row.isFold) drawDot(context, row, x(row.lane), y(at), colour);
}

/** Short dashed lines to rows that are not in the database. */
function drawStubs(
  context: CanvasRenderingContext2D,
  { stubs, below, lane, colour: author }: DrawnRow,
  x: number,
  y: number,
  height: number,
  colour: GraphLook["colour"],
): void {
  const goesDown = below.some(({ from }) => from === lane);
  context.strokeStyle = colour(author);
  context.lineWidth = 2;
  context.setLineDash([2, 3]);
  for (let at = 0; at < Math.min(stubs, 3); at++) {
    const aside = (goesDown ? at + 1 : at) * 6;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + aside, y + 0.5 * height);
    context.stroke();
  }
  context.setLineDash([]);
}

function drawDot(
  context: CanvasRenderingContext2D,
  row: DrawnRow,
  x: number,
  y: number,
  colour: GraphLook["colour"],
): void {
  const own = colour(row.colour);
  const circle = (radius: number, fill: string | undefined, stroke: string | undefined, width = 0): void => {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill !== undefined) {
      context.fillStyle = fill;
      context.fill();
    }
    if (stroke !== undefined) {
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.stroke();
    }
  };
  if (row.isHead) circle(8, undefined, own, 1.5);
  if (row.isSelected) circle(8.5, undefined, colour("accent"), 2);
  const surface = colour("surface");
  if (row.isPending) {
    circle(6, surface, undefined);
    context.setLineDash([2.5, 2]);
    circle(5, surface, colour("warning"), 2);
    context.setLineDash([]);
  } else if (row.side !== undefined) {
    const side = colour(`side-${row.side}`);
    circle(4.5, surface, side, 2.5);
    context.fillStyle = side;
    context.beginPath();
    context.arc(
      x,
      y,
      4.5,
      row.side === "a" ? Math.PI / 2 : -Math.PI / 2,
      row.side === "a" ? 1.5 * Math.PI : Math.PI / 2,
    );
    context.fill();
  } else if (row.isMerge) circle(4.5, surface, own, 2.5);
  else circle(5, own, surface, 2);
}
