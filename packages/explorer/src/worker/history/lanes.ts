/**
 * The lanes of a history, newest first, in one pass. A row takes the lane that waits for it, or else the first free
 * lane. Its first parent keeps the lane. Each other parent takes the lane that already waits for it, or else the first
 * free lane at the right. Beyond {@link MOST_LANES} all lines share the last lane, so that a forged history costs no
 * more than its length.
 */
import type { HistoryGraph } from "merostore/node";

/** The most lanes. */
export const MOST_LANES = 160;
/** Rows between two stored states of the lanes. The state at any row is computed from the stored state before it. */
const STEP = 256;
/** A free lane. */
const FREE = -1;
/** The lane of an edge without one: its parent is not in the database, or not below the row. */
const STUB = 255;

/** The parents of each row. */
export type Parentage = Pick<HistoryGraph, "size" | "parentsFrom" | "parents">;

/** The lanes of a history, packed. */
export interface Lanes {
  /** The most lanes side by side. */
  readonly width: number;
  /** The lane of each row. */
  readonly ofRow: Uint8Array;
  /** The lane of each edge, in the order of `parents`; 255 for an edge without one. */
  readonly ofEdge: Uint8Array;
  /**
   * The states of the lanes before every `step`th row: for each lane the edge that runs in it, -1 if none does.
   * `statesFrom` has the start of each.
   */
  readonly states: Int32Array;
  readonly statesFrom: Uint32Array;
  /** Rows between two states. */
  readonly step: number;
}

/** Assigns the lanes. */
export function assignLanes({ size, parentsFrom, parents }: Parentage): Lanes {
  const ofRow = new Uint8Array(size);
  const ofEdge = new Uint8Array(parents.length);
  /** The row that each lane waits for, and the edge that runs in it. */
  const waits = new Int32Array(MOST_LANES + 1).fill(FREE);
  const edges = new Int32Array(MOST_LANES + 1).fill(FREE);
  /** The lowest parent of the lines in the shared lane. */
  let shared = FREE;
  let open = 0;
  let width = size === 0 ? 0 : 1;
  const states: number[] = [];
  const statesFrom = new Uint32Array(Math.ceil(size / STEP) + 1);
  const free = (from: number): number => {
    for (let lane = from; lane < MOST_LANES - 1; lane++) if (waits[lane] === FREE) return lane;
    return MOST_LANES - 1;
  };
  for (let row = 0; row < size; row++) {
    if (row % STEP === 0) {
      statesFrom[row / STEP] = states.length;
      for (let lane = 0; lane < open; lane++) states.push(edges[lane] as number);
    }
    let at = FREE;
    for (let lane = 0; lane < open; lane++) {
      if (waits[lane] !== row) continue;
      if (at === FREE) at = lane;
      waits[lane] = FREE;
      edges[lane] = FREE;
    }
    if (at === FREE) at = free(0);
    ofRow[row] = at;
    let isFirst = true;
    for (let edge = parentsFrom[row] as number; edge < (parentsFrom[row + 1] as number); edge++) {
      const parent = parents[edge] as number;
      if (parent >= size || parent <= row) {
        ofEdge[edge] = STUB;
        continue;
      }
      let lane = isFirst ? at : FREE;
      for (let other = 0; lane === FREE && other < open; other++) if (waits[other] === parent) lane = other;
      isFirst = false;
      if (lane === FREE) lane = free(at + 1);
      ofEdge[edge] = lane;
      if (lane === MOST_LANES - 1) {
        // The shared lane ends at the lowest parent of its lines.
        if (parent > shared) edges[lane] = edge;
        shared = Math.max(shared, parent);
        waits[lane] = shared;
      } else if (waits[lane] === FREE) {
        waits[lane] = parent;
        edges[lane] = edge;
      }
      open = Math.max(open, lane + 1);
    }
    if (shared <= row) shared = FREE;
    while (open > 0 && waits[open - 1] === FREE) open--;
    width = Math.max(width, open, at + 1);
  }
  statesFrom[statesFrom.length - 1] = states.length;
  return { width, ofRow, ofEdge, states: Int32Array.from(states), statesFrom, step: STEP };
}
