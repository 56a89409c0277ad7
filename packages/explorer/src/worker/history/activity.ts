/** The activity over time, by author. */
import type { HistoryGraph } from "merostore/node";

/** Spans of time, and how many rows of each colour are in each. */
export interface Activity {
  /** The first and the last time, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Rows by colour: the rows of colour 1 in each span, then the rows of colour 2, … */
  readonly counts: Uint32Array;
}

/** Spans of time. */
export const SPANS = 160;
/** Colours of authors. */
export const COLOURS = 6;

/** The activity of a history; undefined if no row has a time. */
export function activityOf({ size, before }: HistoryGraph, colours: Uint8Array): Activity | undefined {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let row = 0; row < size; row++) {
    const time = before[row] as number;
    if (time < from) from = time;
    if (time > to) to = time;
  }
  if (from > to) return undefined;
  const counts = new Uint32Array(SPANS * COLOURS);
  const scale = to === from ? 0 : SPANS / (to - from);
  for (let row = 0; row < size; row++) {
    const time = before[row] as number;
    if (Number.isNaN(time)) continue;
    const span = Math.min(SPANS - 1, Math.floor((time - from) * scale));
    const at = ((colours[row] as number) - 1) * SPANS + span;
    counts[at] = (counts[at] as number) + 1;
  }
  return { from, to, counts };
}
