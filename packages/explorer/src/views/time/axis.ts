/** The axis of time under a history: the places of positions, the bars of each author, and the unknown stretches. */
import type { Answer, Track } from "../../page/worker-client.js";

/** The positions. */
export type Shape = NonNullable<Answer<"timeline">>;

/** The marks of positions, as in the worker: a position with several children, and a position with a missing parent. */
export const [FORK, GAP] = [1, 2];

/** The number of spans with a bar, and of spans with a tick. */
const [SPANS, TICKS] = [110, 400];
const COLOURS = 6;

/** The axis. Places are parts of its length. */
export interface Axis {
  /** True if places follow the times, false if they follow the order. */
  readonly isTimed: boolean;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The place of a position. */
  x(position: number): number;
  /** The position that is nearest to a place. */
  nearest(x: number): number;
  /** The last position at or before a time. */
  until(time: number): number;
}

export function axisOf({ of, size, times, since, isJoined }: Shape): Axis {
  const least = isJoined ? 0 : 1;
  let [from, to] = [since ?? Number.POSITIVE_INFINITY, since ?? Number.NEGATIVE_INFINITY];
  for (const time of times) {
    if (time < from) from = time;
    if (time > to) to = time;
  }
  // Places follow the order for operations, which have bounds instead of times, and if all times are equal or missing.
  const isTimed = to > from && of.kind === "context";
  if (from > to) [from, to] = [0, 0];
  const places = new Float64Array(size + 1);
  let last = isTimed ? 0 : Number.NaN;
  for (let position = 1; position <= size; position++) {
    const time = times[position - 1] as number;
    if (isTimed && !Number.isNaN(time)) last = (time - from) / (to - from);
    places[position] = isTimed ? last : position / size;
  }
  const place = (position: number): number => places[position] as number;
  const inOrder = ordered(places, least);
  /** The number of positions before or at a place. */
  const before = (x: number, isIn: (place: number) => boolean): number => {
    let [low, high] = [0, inOrder.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (place(inOrder[middle] as number) < x || isIn(place(inOrder[middle] as number))) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    isTimed,
    from,
    to,
    x: place,
    nearest(x) {
      const at = before(x, () => false);
      const [left, right] = [inOrder[at - 1], inOrder[at]];
      if (left === undefined || right === undefined) return left ?? right ?? least;
      return x - place(left) <= place(right) - x ? left : right;
    },
    until(time) {
      for (let position = size; position > least; position--)
        if ((times[position - 1] as number) <= time) return position;
      return least;
    },
  };
}

/** The most positions of a history, and the most parts of the axis: both fit into one number exactly. */
const [MOST, PARTS] = [2 ** 22, 2 ** 30];

/** The positions by their places. Numbers sort by themselves, without a function that compares them. */
function ordered(places: Float64Array, least: number): Uint32Array {
  const keys = Float64Array.from(
    places.subarray(least),
    (place, at) => Math.floor(place * PARTS) * MOST + at + least,
  );
  return Uint32Array.from(keys.sort(), (key) => key % MOST);
}

/** A bar: its place, and its top and height as parts of the highest bar. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly colour: number;
  readonly top: number;
  readonly height: number;
}

export function barsOf({ size, colours }: Shape, axis: Axis): readonly Bar[] {
  const counts = new Uint32Array(SPANS * COLOURS);
  for (let position = 1; position <= size; position++) {
    const span = Math.min(SPANS - 1, Math.floor(axis.x(position) * SPANS));
    counts[span * COLOURS + (colours[position - 1] as number) - 1]!++;
  }
  const sums = Array.from({ length: SPANS }, (_, span) =>
    counts.subarray(span * COLOURS, (span + 1) * COLOURS).reduce((sum, one) => sum + one, 0),
  );
  const most = Math.max(1, ...sums);
  const bars: Bar[] = [];
  for (let span = 0; span < SPANS; span++) {
    let top = 0;
    for (let colour = 1; colour <= COLOURS; colour++) {
      const rows = counts[span * COLOURS + colour - 1] as number;
      if (rows === 0) continue;
      const height = Math.max(0.03, rows / most);
      top += height;
      bars.push({ x: span / SPANS, width: 1 / SPANS, colour, top, height });
    }
  }
  return bars;
}

/** The places of positions, each with the colour of the first position there. */
export function ticksOf(
  { size, colours }: Shape,
  axis: Axis,
): readonly (readonly [x: number, colour: number])[] {
  const ticks = new Uint8Array(TICKS + 1);
  for (let position = size; position >= 1; position--)
    ticks[Math.floor(axis.x(position) * TICKS)] = colours[position - 1] as number;
  return [...ticks].flatMap((colour, tick) => (colour === 0 ? [] : [[tick / TICKS, colour] as const]));
}

/** The places of the deltas of another node, with their colours on this node. */
export function ticksOfTrack(
  { times }: Track,
  ticks: ReturnType<typeof ticksOf>,
  axis: Axis,
): ReturnType<typeof ticksOf> {
  const colours = new Map(ticks.map(([at, colour]) => [Math.round(at * TICKS), colour]));
  const places = new Set(Array.from(times, (time) => Math.floor(placeOf(time, axis) * TICKS)));
  return [...places].map((tick) => [tick / TICKS, colours.get(tick) ?? COLOURS] as const);
}

/** The place of a time. Times outside of the axis are at its ends. */
export function placeOf(time: number, { from, to }: Axis): number {
  return Number.isNaN(time) ? 0 : Math.max(0, Math.min(1, (time - from) / (to - from)));
}

/** A stretch without known positions. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

/** Gaps that are drawn. */
const MOST_GAPS = 40;

export function stretchesOf({ size, marks, isJoined }: Shape, axis: Axis): readonly Stretch[] {
  const first = size === 0 ? 1 : axis.x(1);
  const stretches: Stretch[] = isJoined
    ? [{ from: 0, to: Math.max(first, 0.004), words: "not known: snapshot" }]
    : [];
  for (let position = 1; position <= size && stretches.length < MOST_GAPS; position++) {
    if (((marks[position - 1] as number) & GAP) === 0) continue;
    const to = axis.x(position);
    const from = Math.min(position === 1 ? 0 : axis.x(position - 1), to - 0.004);
    stretches.push({ from: Math.max(0, from), to, words: "not known" });
  }
  return stretches;
}
