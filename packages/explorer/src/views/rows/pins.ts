/** The columns of the key, which stay at the left while the others scroll. */
import type { Grid } from "./use-grid.js";

/** Characters of the widest column. */
const WIDEST = 34;
/** Characters of the space beside a column. */
const BESIDE = 2.4;
/** The most characters of fixed columns: with more, too little of the value would be visible. */
const MOST = 56;

/** Characters at the left of each fixed column. */
export type Pins = readonly number[];

/** The width of a column in characters. It does not change while the rows scroll. */
export function widthOf({ characters }: Grid["columns"][number]): number {
  return BESIDE + Math.min(WIDEST, characters);
}

/** The columns that do not scroll: the leading parts of the key that fit. */
export function pinsOf(columns: Grid["columns"]): Pins {
  const pins: number[] = [];
  let width = 0;
  for (const column of columns) {
    const next = width + widthOf(column);
    if (!column.isPart || next > MOST) break;
    pins.push(width);
    width = next;
  }
  return pins;
}

/** The class of a column. */
export function pinClass(pins: Pins, at: number): string {
  if (at >= pins.length) return "";
  return at === pins.length - 1 ? "pin last" : "pin";
}

/** The place of a column. */
export function pinStyle(pins: Pins, at: number): { readonly left: string } | undefined {
  return at < pins.length ? { left: `${pins[at]}ch` } : undefined;
}
